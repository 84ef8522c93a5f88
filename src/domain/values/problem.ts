/** One thing wrong with what a caller sent. The path is dotted and names the field. */
export type Problem = { path: string; message: string }
