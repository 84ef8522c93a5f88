/** One problem with a request. The path is dotted and names the field. */
export type Problem = { path: string; message: string }
