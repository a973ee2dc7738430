/** Networks of the reference evaluator: addresses are strings of 32 or 128 binary digits. */

/** Parses a network to its prefix bits; throws for any other text. */
export function parseNetwork(text: string): { readonly bits: string; readonly width: number } {
  const [address = '', length] = text.split('/')
  const bits = parseAddress(address)
  const prefixLength = length === undefined ? bits?.length : Number(length)
  if (bits === undefined || prefixLength === undefined || (length !== undefined && !/^\d+$/.test(length))
    || prefixLength > bits.length || bits.slice(prefixLength).includes('1')) {
    throw new Error(`${JSON.stringify(text)} is no network.`)
  }
  return { bits: bits.slice(0, prefixLength), width: bits.length }
}

/** Whether the text is an address in the network; IPv4-mapped IPv6 addresses are also in IPv4 networks. */
export function isInNetwork(network: { readonly bits: string; readonly width: number }, text: string): boolean {
  const bits = parseAddress(text.replace(/(?<=:.*)%.*$/s, ''))
  if (bits === undefined) return false
  const mapped = '0'.repeat(80) + '1'.repeat(16)
  const forms = bits.startsWith(mapped) && bits.length === 128 ? [bits, bits.slice(mapped.length)] : [bits]
  return forms.some((form) => form.length === network.width && form.startsWith(network.bits))
}

function parseAddress(text: string): string | undefined {
  return text.includes(':') ? parseSixteenBytes(text) : parseFourBytes(text)
}

function parseFourBytes(text: string): string | undefined {
  const parts = text.split('.')
  const isAddress = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
  return isAddress ? parts.map((part) => binary(Number(part), 8)).join('') : undefined
}

function parseSixteenBytes(text: string): string | undefined {
  const halves = withoutFourBytes(text).split('::')
  if (halves.length > 2) return undefined
  const [head = [], tail] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const groups = [...head, ...(tail ?? [])]
  const missing = 8 - groups.length
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  return [...head, ...Array<string>(missing).fill('0'), ...(tail ?? [])]
    .map((group) => binary(Number.parseInt(group, 16), 16)).join('')
}

/** Replaces an IPv4 address at the end by two groups of an IPv6 address. */
function withoutFourBytes(text: string): string {
  return text.replace(/(?<=:)[^:]*\.[^:]*$/, (ending) => {
    const bits = parseFourBytes(ending)
    return bits === undefined ? ending
      : [bits.slice(0, 16), bits.slice(16)].map((group) => Number.parseInt(group, 2).toString(16)).join(':')
  })
}

function binary(value: number, width: number): string {
  return value.toString(2).padStart(width, '0')
}
