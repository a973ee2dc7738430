/** Bytes by descending frequency in recorded Windows events; bytes that are missing are rare. */
const byFrequency = `a"es0oticrdn:\\bmw,l21-pg4uf3 yq85h7v9.6k_xjz{}=|+@/()%?$';[]`

/** Text that is more frequent in events than its bytes suggest: its grams are the last choice for an index. */
const commonText = String.raw`
  c:\windows\system32\ c:\program files (x86)\microsoft\windows\ \device\harddiskvolume \microsoft.net\framework64\
  c:\users\administrator\appdata\local\temp\ c:\programdata\ hklm\software\microsoft\windows nt\currentversion\
  \system\currentcontrolset\services\ powershell.exe cmd.exe svchost.exe rundll32.exe .dll .exe" http://www. https://
  nt authority\system -command invoke- function string microsoft-windows- hku\s-1-5-21-
  ------ 000000 md5=sha256=imphash=
`

/** By byte: roughly the logarithm of the distance between two occurrences. */
const rarityOfByte = Float64Array.from({ length: 128 }, (_, byte) => {
  const place = byFrequency.indexOf(String.fromCharCode(byte))
  return Math.log(2 + (place === -1 ? byFrequency.length : place))
})
/** The rarity that common text loses. */
const commonPenalty = 5
const gramLength = 4
const commonGrams = listCommonWords(gramLength)
const commonTrigrams = listCommonWords(3)

function listCommonWords(length: number): ReadonlySet<number> {
  return new Set(Array.from(commonText, (_, at) => readWord(commonText, at, length)))
}

/** Estimates the rarity in events of 2 to 4 bytes of a text; only comparisons of results are meaningful. */
export function computeRarity(text: string, at: number, length: number): number {
  let rarity = length === gramLength && commonGrams.has(readWord(text, at, length)) ? -commonPenalty : 0
  for (let i = at; i < at + length; i++) rarity += rarityOfByte[text.charCodeAt(i)] ?? 0
  return rarity
}

/** Whether 3 bytes of a text are part of the common text of events. */
export function isCommonAt(text: string, at: number): boolean {
  return commonTrigrams.has(readWord(text, at, 3))
}

/** Estimates the relative frequency of an ASCII byte in events. */
export function estimateFrequency(byte: number): number {
  return Math.exp(-rarityOfByte[byte]!)
}

/** Reads up to 4 bytes of an ASCII text as a little-endian number; zeroes beyond its end. */
export function readWord(text: string, at: number, length: number): number {
  let word = 0
  for (let i = 0; i < length && at + i < text.length; i++) word |= text.charCodeAt(at + i) << (8 * i)
  return word
}
