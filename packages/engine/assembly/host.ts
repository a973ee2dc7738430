// The host: everything that means something is decided there. Positions are addresses in this memory.

/** What a key is: a slot, `keyIrrelevant` or `keySlow`. The bytes are those between the quotes. */
@external('host', 'keyCode')
export declare function hostKeyCode(start: usize, length: u32): i32

/** The class of a value, or of a line, in a domain; 0 when it does not matter. */
@external('host', 'classOf')
export declare function hostClassOf(domain: u32, start: usize, length: u32): i32

/**
 * The class of a value in which so many needles of the domain were found, which are at `foundNeedles`; its complement
 * where other values with these needles may have another.
 */
@external('host', 'classOfFound')
export declare function hostClassOfFound(domain: u32, start: usize, length: u32, count: u32): i32

/**
 * What it means that an event's walk along a section met so many classes, none of them 0 and in order, which are at an
 * address; 0 for nothing.
 */
@external('host', 'resultOf')
export declare function hostResultOf(section: i32, classes: usize, count: u32): i32

/** Tells that a section of the event's program came to a result. */
@external('host', 'found')
export declare function hostFound(line: u32, start: usize, length: u32, section: u32, result: i32): void

/** Hands a line over that the kernel does not judge. */
@external('host', 'slowLine')
export declare function hostSlowLine(line: u32, start: usize, length: u32): void

/** The value of such a key is checked and forgotten. */
export const keyIrrelevant: i32 = -1
/** A line with such a key is the host's. */
export const keySlow: i32 = -2
