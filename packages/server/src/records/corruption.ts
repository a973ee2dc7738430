/** A place where the bytes of a file are not what was written. */
export type Corruption = { readonly file: string; readonly offset: number; readonly problem: string }
