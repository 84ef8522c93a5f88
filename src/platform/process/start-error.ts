/** A reason why a process cannot start that its operator can change; printed without a stack trace. */
export class StartError extends Error {}
