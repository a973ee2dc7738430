import { expect, test } from 'vitest'
import { limits } from './limits.ts'
import { checkTarget, parseTarget } from './check-target.ts'

/** The verdict on a URL for the internet. */
function read(text: string, allowInsecure: boolean): string {
  const url = parseTarget(text)
  checkTarget(url, { allowInsecure })
  return url.href
}

const long = (length: number): string => 'https://a.example/'.padEnd(length, 'x')

test.for<[text: string, printed: string]>([
  ['https://a.example', 'https://a.example/'],
  ['https://a.example:443/x?y=1', 'https://a.example/x?y=1'],
  ['https://a.example:8443/', 'https://a.example:8443/'],
  ['https://2130706433/', 'https://127.0.0.1/'],
  ['https://0x7f.1/', 'https://127.0.0.1/'],
  ['https://0177.0.0.1/', 'https://127.0.0.1/'],
  ['https://127.1/', 'https://127.0.0.1/'],
  ['https://127.0.0.1./', 'https://127.0.0.1/'],
  ['https://%31%32%37.0.0.1/', 'https://127.0.0.1/'],
  ['https://0/', 'https://0.0.0.0/'],
  ['https://[::ffff:127.0.0.1]/', 'https://[::ffff:7f00:1]/'],
  ['HTTPS://LOCALHOST./', 'https://localhost./'],
  [long(limits.egress.urlLengthMax), long(limits.egress.urlLengthMax)],
])('%s is %s', ([text, printed]) => {
  expect(read(text, false)).toBe(printed)
})

test.for<[text: string, sentence: string]>([
  ['http://a.example/', "'a.example' is requested without TLS"],
  ['ftp://a.example/', 'must be like https://host/path'],
  ['file:///etc/passwd', 'must be like https://host/path'],
  ['javascript:alert(1)', 'must be like https://host/path'],
  ['//a.example/', 'must be like https://host/path'],
  ['https://', 'must be like https://host/path'],
  ['https://256.1.1.1/', 'must be like https://host/path'],
  ['https://[fe80::1%25eth0]/', 'must be like https://host/path'],
  ['https://user@a.example/', 'must not contain a user or password'],
  ['https://user:secret@a.example/', 'must not contain a user or password'],
  ['https://a.example:22/', "port 22 of 'a.example' is not allowed; use one of 443, 8443"],
  ['https://a.example:80/', "port 80 of 'a.example'"],
  ['https://a.example:0/', "port 0 of 'a.example'"],
  ['https:\\\\a.example/', 'has characters'],
  ['https://127。0。0。1/', 'has characters'],
  ['https://ⓛocalhost/', 'has characters'],
  [' https://a.example/', 'has characters'],
  ['https://a.exa\tmple/', 'has characters'],
  ['https://a.example/\r\nx-header: 1', 'has characters'],
  ['', 'has characters'],
  [long(limits.egress.urlLengthMax + 1), 'has 2049 characters; the limit is 2048'],
])('%j: %s', ([text, sentence]) => {
  expect(() => read(text, false)).toThrow(sentence)
})

test.for<[text: string, isAllowed: boolean]>([
  ['http://a.example/', true],
  ['http://a.example:443/', true],
  ['http://a.example:8080/', false],
  ['https://a.example:80/', true],
])('%s with http allowed: %s', ([text, isAllowed]) => {
  if (isAllowed) expect(read(text, true)).toBe(new URL(text).href)
  else expect(() => read(text, true)).toThrow('is not allowed; use one of 443, 8443, 80')
})
