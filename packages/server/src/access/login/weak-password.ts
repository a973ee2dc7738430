/**
 * Words that begin or make up the passwords that attackers try first, as they stand after `readLetters`. Shorter ones than
 * the least length count when they are combined or repeated.
 */
const commonWords = new Set(`
  aa abc abcd access account admin administrator alert analyst angel apple asdf asdfgh asdfghjkl azerty baseball batman blink
  buster changeme charlie chocolate company computer cookie correcthorsebatterystaple daniel default defender demo detection
  dragon engineer enter football freedom game guest hello hunter iloveyou internet jesus jordan killer letmein linux
  login lovely love master michael microsoft monday monkey mustang my new ninja nothing oracle pass password passphrase
  passwort please princess purple qazwsx qazwsxedc qwe qwer qwert qwerty qwertyuiop qwertz qwertzuiop root secret secure
  security server service shadow siem sigma soc spring starwars summer sunshine superman support sysadmin system temp
  temporary test testing the this is tripline trustno trustnoone user welcome whatever whoami windows winter work xyz your
  zaq zaqxsw zxcv zxcvbn zxcvbnm autumn fall january february march april may june july august september october november
  december monday tuesday wednesday thursday friday saturday sunday
`.trim().split(/\s+/))

/** Rows of keyboards and the alphabet, in which neighbours follow each other. */
const rows = [
  'abcdefghijklmnopqrstuvwxyz', '1234567890', '0123456789', '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'azertyuiop',
]

/** Letters that digits and signs stand for. */
const substitutes: { readonly [sign: string]: string } = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }

/** The fewest different characters. */
const differentMin = 5

/** The shortest part of an address that counts, and the fewest characters that must remain beside all of them. */
const nameLengthMin = 4

const restLengthMin = 8

/**
 * Why a password is among the first that attackers try, or undefined: NIST SP 800-63B requires such passwords to be refused.
 * It is weak if it holds few different characters, repeats a short part, follows a keyboard or the alphabet, consists of
 * common words with digits and signs around them, or of the user's email address with little else.
 */
export function findPasswordWeakness(password: string, email = ''): string | undefined {
  const text = password.normalize('NFC').toLowerCase()
  if (new Set(text).size < differentMin) return `it has fewer than ${differentMin} different characters`
  if (isRepetition(text)) return 'it repeats a short part'
  if (followsRow(text)) return 'it follows the keyboard or the alphabet'
  if (isMostlyAddress(text, email.toLowerCase())) return 'it is mostly your email address'
  const variants = [text.replaceAll(/[^a-z]/g, ''), readLetters(text), readLetters(text.replace(/[\d\W_]+$/, ''))]
  return variants.some((letters) => letters !== '' && isOfCommonWords(letters)) ? 'it consists of common words' : undefined
}

/** Whether little remains of a text without an address and its parts. */
function isMostlyAddress(text: string, email: string): boolean {
  const [name = '', domain = ''] = email.split('@')
  const parts = [email, domain, name, ...domain.split('.')].filter(({ length }) => length >= nameLengthMin)
  const rest = parts.reduce((left, part) => left.replaceAll(part, ''), text)
  return rest.length < text.length && rest.length < restLengthMin
}

function isRepetition(text: string): boolean {
  const most = Math.floor(text.length / 2)
  const lengths = Array.from({ length: most }, (_, at) => at + 1)
  return lengths.some((length) => text.slice(0, length).repeat(Math.ceil(text.length / length)).startsWith(text))
}

/** Whether a row, forwards or backwards and over its end, contains the text. */
function followsRow(text: string): boolean {
  return rows.some((row) => {
    const circle = row.repeat(Math.ceil(text.length / row.length) + 1)
    return circle.includes(text) || [...circle].reverse().join('').includes(text)
  })
}

function readLetters(text: string): string {
  return [...text].map((sign) => substitutes[sign] ?? sign).join('').replaceAll(/[^a-z]/g, '')
}

const wordLengthMax = Math.max(...[...commonWords].map(({ length }) => length))

/** Whether a text can be split into common words; in linear steps, one for each place at which a word can end. */
function isOfCommonWords(letters: string): boolean {
  const isReached = [true]
  for (let end = 1; end <= letters.length; end++) {
    const starts = Array.from({ length: Math.min(end, wordLengthMax) }, (_, back) => end - back - 1)
    isReached[end] = starts.some((start) => isReached[start] === true && commonWords.has(letters.slice(start, end)))
  }
  return isReached[letters.length] === true
}
