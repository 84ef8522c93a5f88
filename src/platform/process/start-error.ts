/** A reason why a process cannot start that its operator can change; printed without a stack trace. */
export class StartError extends Error {}

/** The same, but it may pass by itself, such as a server that is not up yet: a service manager should try again. */
export class PassingStartError extends Error {}
