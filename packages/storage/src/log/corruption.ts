/** A place where the bytes of a file are not those that were written. */
export type Corruption = { readonly file: string; readonly offset: number; readonly problem: string }
