/** Bytes in the order of how often they stand in recorded Windows events; those that are missing hardly do. */
const byFrequency = `a"es0oticrdn:\\bmw,l21-pg4uf3 yq85h7v9.6k_xjz{}=|+@/()%?$';[]`

/** What stands in events more often than its bytes do: what is of it is the last to be looked for. */
const commonText = String.raw`
  c:\windows\system32\ c:\program files (x86)\microsoft\windows\ \device\harddiskvolume \microsoft.net\framework64\
  c:\users\administrator\appdata\local\temp\ c:\programdata\ hklm\software\microsoft\windows nt\currentversion\
  \system\currentcontrolset\services\ powershell.exe cmd.exe svchost.exe rundll32.exe .dll .exe" http://www. https://
  nt authority\system -command invoke- function string microsoft-windows- hku\s-1-5-21-
  ------ 000000 md5=sha256=imphash=
`

/** By byte: the logarithm of how many places lie between two, roughly. */
const rarityOfByte = Float64Array.from({ length: 128 }, (_, byte) => {
  const place = byFrequency.indexOf(String.fromCharCode(byte))
  return Math.log(2 + (place === -1 ? byFrequency.length : place))
})
/** How much less rare common text is than its bytes are. */
const commonPenalty = 5
const gramLength = 4
const commonGrams = listCommonWords(gramLength)
const commonTrigrams = listCommonWords(3)

function listCommonWords(length: number): ReadonlySet<number> {
  return new Set(Array.from(commonText, (_, at) => readWord(commonText, at, length)))
}

/** How seldom 2 to 4 bytes of a text stand in events, roughly: only their order means something. */
export function computeRarity(text: string, at: number, length: number): number {
  let rarity = length === gramLength && commonGrams.has(readWord(text, at, length)) ? -commonPenalty : 0
  for (let i = at; i < at + length; i++) rarity += rarityOfByte[text.charCodeAt(i)] ?? 0
  return rarity
}

/** Whether 3 bytes of a text stand in what is common in events. */
export function isCommonAt(text: string, at: number): boolean {
  return commonTrigrams.has(readWord(text, at, 3))
}

/** How often a byte of ASCII stands in events beside others, roughly. */
export function estimateFrequency(byte: number): number {
  return Math.exp(-rarityOfByte[byte]!)
}

/** Up to 4 bytes of a text that is ASCII as a number, the first one lowest; zeroes beyond its end. */
export function readWord(text: string, at: number, length: number): number {
  let word = 0
  for (let i = 0; i < length && at + i < text.length; i++) word |= text.charCodeAt(at + i) << (8 * i)
  return word
}
