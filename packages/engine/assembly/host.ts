// Functions of the host, which makes every decision. Positions are addresses in this module's memory.

/** The code of a key: a slot, `keyIrrelevant` or `keySlow`. The bytes are those between the quotes. */
@external('host', 'keyCode')
export declare function hostKeyCode(start: usize, length: u32): i32

/** The equivalence class of a value, or of a line, in a domain; 0 if no rule depends on it. */
@external('host', 'classOf')
export declare function hostClassOf(domain: u32, start: usize, length: u32): i32

/**
 * The class of a value in which `count` needles of the domain were found, which are at `foundNeedles`; the complement
 * of the class if other values with these needles may have another.
 */
@external('host', 'classOfFound')
export declare function hostClassOfFound(domain: u32, start: usize, length: u32, count: u32): i32

/**
 * The result of a signature: of the `count` classes, none of them 0, that an event has in a section, in order; 0 if no
 * rule matches or may match.
 */
@external('host', 'resultOf')
export declare function hostResultOf(section: i32, classes: usize, count: u32): i32

/** Reports the result of a section of the event's program. */
@external('host', 'found')
export declare function hostFound(line: u32, start: usize, length: u32, section: u32, result: i32): void

/** Passes on a line that the kernel cannot match. */
@external('host', 'slowLine')
export declare function hostSlowLine(line: u32, start: usize, length: u32): void

/** The value of such a key is validated and skipped. */
export const keyIrrelevant: i32 = -1
/** The host has to parse a line with such a key. */
export const keySlow: i32 = -2
