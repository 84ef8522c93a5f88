/** The file does not fit this installation, or its own manifest. */
export class MoveInError extends Error {}
