/** What a code that links a device asks of the person with the phone: it is typed there, or scanned. */
export function showCode(code: string): { instruction: string; scan?: string } {
  if (/^[A-Z0-9]{4}-?[A-Z0-9]{4}$/.test(code)) {
    return {
      instruction: `On the phone: Settings, Linked devices, Link with phone number. Enter the code ${code}`,
    };
  }
  return { instruction: "On the phone: Settings, Linked devices, Link a device. Scan this:", scan: code };
}
