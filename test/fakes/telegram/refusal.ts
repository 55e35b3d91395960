/** How the service says no. */
export class Refused extends Error {
  readonly status: number;
  readonly parameters: object | undefined;

  constructor(description: string, status = 400, parameters?: object) {
    super(description);
    this.status = status;
    this.parameters = parameters;
  }
}

export function refuseIf(condition: boolean, description: string, status = 400): void {
  if (condition) throw new Refused(description, status);
}
