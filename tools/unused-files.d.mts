export declare const fontPackage: string
export declare function listUnusedFonts(folder: string, sources: readonly string[]): readonly string[]
export declare function isForDevelopers(path: string): boolean
