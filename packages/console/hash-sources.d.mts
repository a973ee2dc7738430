export declare function hashSources(root: string): string
