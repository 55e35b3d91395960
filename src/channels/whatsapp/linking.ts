/** How to link a device with a code: type it on the phone, or scan it. */
export function showCode(code: string): { instruction: string; scan?: string } {
  if (/^[A-Z0-9]{4}-?[A-Z0-9]{4}$/.test(code)) {
    return {
      instruction: `On your phone, open WhatsApp > Settings > Linked devices > Link with phone number, and enter the code ${code}`,
    };
  }
  return {
    instruction: "On your phone, open WhatsApp > Settings > Linked devices > Link a device, and scan this:",
    scan: code,
  };
}
