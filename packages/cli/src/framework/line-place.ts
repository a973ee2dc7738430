/** Where a line stands: its number in its file, from 1 as editors count, and the path of that, if there are several. */
export type LinePlace = { readonly line: number; readonly path: string | undefined }
