import type { HostileRule } from './hostile-rule.ts'
import { ruleText, selectionText } from './hostile-rule.ts'

const simple = ruleText('sel: {a: x}\ncondition: sel')
const names = Array.from({ length: 100 }, (_, i) => `name-${i}`).join(', ')

/** Levels of anchors, each referring to the previous one ten times. */
function aliasBomb(levels: number, first: string, next: (name: string) => string): string {
  const lines = [`l0: &l0 ${first}`]
  for (let level = 1; level <= levels; level++) lines.push(`l${level}: &l${level} ${next(`*l${level - 1}`)}`)
  return `${lines.join('\n')}\n${simple}`
}

function lines(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at)).join('\n')
}

/** Texts that are expensive for a YAML parser, or not rules. */
export const hostileYaml: readonly HostileRule[] = [
  ['lists 100,000 deep, never closed', () => '['.repeat(100_000), ['invalid']],
  ['lists 50,000 deep', () => `x: ${'['.repeat(50_000)}${']'.repeat(50_000)}`, ['invalid']],
  ['maps 20,000 deep', () => '{a: '.repeat(20_000), ['invalid']],
  ['indented maps 1,000 deep', () => lines(1_000, (at) => `${' '.repeat(at)}a:`), ['invalid']],
  ['lists in lists on one line, 10,000 deep', () => `${'- '.repeat(10_000)}x`, ['invalid']],
  ['complex keys 10,000 deep', () => `${'? '.repeat(10_000)}x`, ['invalid']],
  ['a selection 40 lists deep', () =>
    ruleText(`sel: ${'['.repeat(40)}x${']'.repeat(40)}\ncondition: sel`), ['invalid']],
  ['an alias bomb of lists', () =>
    aliasBomb(10, '[x, x]', (name) => `[${Array(10).fill(name).join(', ')}]`), ['invalid']],
  ['an alias bomb of maps', () => aliasBomb(10, '{x: y}', (name) => `{a: ${name}, b: ${name}, c: ${name}, d: ${name}}`),
    ['invalid']],
  ['a merge bomb', () => aliasBomb(20, '{x: y}', (name) => `{<<: [${name}, ${name}], ${name.slice(1)}: 1}`),
    ['invalid', 'compiled']],
  ['a long list named 90 times', () =>
    `big: &big [${'x, '.repeat(2_000)}]\n${lines(90, (at) => `copy${at}: *big`)}\n${simple}`, ['invalid']],
  ['1,000 aliases', () => `one: &one x\n${lines(1_000, (at) => `copy${at}: *one`)}\n${simple}`, ['invalid']],
  ['a list inside itself', () => ruleText('sel: &sel [*sel]\ncondition: sel'), ['invalid']],
  ['a map inside itself', () => ruleText('sel: &sel\n  a: *sel\ncondition: sel'), ['invalid']],
  ['a map merged into itself', () => ruleText('sel: &sel\n  a: x\n  <<: *sel\ncondition: sel'), ['invalid']],
  ['an alias of nothing', () => ruleText('sel: *nothing\ncondition: sel'), ['invalid']],
  ['2 MB of blanks', () => ' '.repeat(2_000_000), ['invalid', 'no report']],
  ['2 MB of a comment', () => `${simple}# ${'x'.repeat(2_000_000)}`, ['invalid']],
  ['half a megabyte of a comment', () => `${simple}# ${'x'.repeat(500_000)}`, ['compiled']],
  ['10,000 documents', () => '---\nx: y\n'.repeat(10_000), ['invalid']],
  ['1,000 empty documents', () => '---\n'.repeat(1_000), ['invalid', 'no report']],
  ['a key of 100 KB', () => `"${'k'.repeat(100_000)}": x\n${simple}`, ['invalid', 'compiled']],
  ['20,000 keys', () => `${lines(20_000, (at) => `key${at}: x`)}\n${simple}`, ['compiled', 'invalid']],
  ['150,000 nodes', () => `x: [${'x,'.repeat(150_000)}]\n${simple}`, ['invalid']],
  ['a list as a key', () => ruleText('sel:\n  ? [a, b]\n  : x\ncondition: sel'), ['invalid']],
  ['a map as a key', () => ruleText('? {a: b}\n: x\ncondition: sel'), ['invalid']],
  ['a key twice', () => `${simple}title: Another\n`, ['invalid']],
  ['a field twice', () => ruleText('sel:\n  a: x\n  a: y\ncondition: sel'), ['invalid']],
  ['a field twice, once in quotes', () => ruleText('sel:\n  a: x\n  "\\x61": y\ncondition: sel'), ['invalid']],
  ['__proto__ twice', () => ruleText('sel:\n  __proto__: x\n  "__proto__": y\ncondition: sel'), ['invalid']],
  ['tabs as indentation', () => simple.replaceAll('  ', '\t'), ['invalid']],
  ['a byte order mark', () => `\ufeff${simple}`, ['compiled']],
  ['line ends of Windows', () => simple.replaceAll('\n', '\r\n'), ['compiled']],
  ['bytes of a program', () => lines(500, (at) => String.fromCharCode((at * 7) % 32, (at * 31) % 256)), ['invalid']],
  ['UTF-16 read as bytes', () => Buffer.from(simple, 'utf16le').toString('latin1'), ['invalid']],
  ['a NUL between keys', () => simple.replace('detection', '\0\ndetection'), ['invalid']],
  ['a NUL in a value', () => simple.replace('x}', 'x\0}'), ['invalid']],
  ['an escaped NUL in a value', () => selectionText({ a: 'x\0y' }), ['compiled']],
  ['a lone surrogate in a value', () => simple.replace('x}', '\ud800}'), ['invalid', 'compiled']],
  ['an escaped lone surrogate', () => selectionText({ a: 'x\ud800' }), ['compiled', 'invalid']],
  ['an escape beyond Unicode', () => ruleText('sel: {a: "\\U00FFFFFF"}\ncondition: sel'), ['invalid', 'compiled']],
  ['nothing', () => '', ['invalid', 'no report']],
  ['only comments', () => '# one\n# two\n', ['invalid', 'no report']],
  ['only a document mark', () => '---\n', ['invalid', 'no report']],
  ['a number', () => '42', ['invalid']],
  ['a word', () => 'rule', ['invalid']],
  ['null', () => 'null', ['invalid', 'no report']],
  ['a list', () => '- title: x\n- title: y\n', ['invalid']],
  ['a function', () => ruleText('sel: !!js/function "function () { return 1 }"\ncondition: sel'), ['invalid']],
  ['an object of Python', () => ruleText('sel: !!python/object/apply:os.system ["x"]\ncondition: sel'), ['invalid']],
  ['binary data', () => ruleText('sel: {a: !!binary "Zm9v"}\ncondition: sel'), ['invalid']],
  ['a set', () => ruleText('sel: !!set {a, b}\ncondition: sel'), ['invalid']],
  ['a later version of YAML', () => `%YAML 9.9\n---\n${simple}`, ['invalid', 'compiled']],
  ['a quote that is not closed', () => simple.replace('x}', '"x}'), ['invalid']],
  ['a map that is not closed', () => simple.replace('x}', 'x'), ['invalid']],
  ['a block of text as the rule', () => `|\n  ${simple}`, ['invalid']],
  ['attributes of the prototype', () =>
    '__proto__: {detection: {sel: {a: x}, condition: sel}}\ntitle: x\nlogsource: {category: x}\n', ['invalid']],
  ['custom attributes named like methods', () =>
    `constructor: x\ntoString: y\n__proto__: {polluted: true}\nhasOwnProperty: 1\n${simple}`, ['compiled']],
  ['no title', () => simple.replace(/^title.*\n/, ''), ['compiled']],
  ['a title of 10,000 characters', () => simple.replace('A hostile rule', 'x'.repeat(10_000)), ['compiled']],
  ['a list as the title', () => simple.replace('A hostile rule', '[a]'), ['compiled']],
  ['an id that is none', () => `id: ../../etc/passwd\n${simple}`, ['invalid', 'compiled']],
  ['a map as the id', () => `id: {a: b}\n${simple}`, ['compiled']],
  ['a level of the prototype', () => `level: constructor\n${simple}`, ['compiled']],
  ['a status of the prototype', () => `status: __proto__\n${simple}`, ['compiled']],
  ['a list as the level', () => `level: [high]\n${simple}`, ['compiled']],
  ['a map as the tags', () => `tags: {a: b}\n${simple}`, ['compiled']],
  ['numbers as the tags', () => `tags: [1, 2.5, null, [x]]\n${simple}`, ['compiled']],
  ['10,000 tags', () => `tags:\n${lines(10_000, (at) => `  - a.b${at}`)}\n${simple}`, ['compiled', 'invalid']],
  ['a day that does not exist', () => `date: 2024-13-45\n${simple}`, ['invalid', 'compiled']],
  ['a word as the logsource', () => simple.replace('\n  category: test', ' windows'), ['invalid']],
  ['an empty logsource', () => simple.replace('\n  category: test', ' {}'), ['invalid']],
  ['a logsource of lists', () => simple.replace('category: test', 'category: [a, b]'), ['compiled']],
  ['a logsource of lists in lists', () => simple.replace('category: test', 'category: [[a], b]'), ['invalid']],
  ['a logsource of 100 values', () => simple.replace('category: test', `category: [${names}]`), ['invalid']],
  ['a logsource of 10,000 pairs', () => simple.replace('category: test', `category: [${names}]\n  product: [${names}]`), ['invalid']],
  ['a logsource of the prototype', () => simple.replace('category: test', '__proto__: {category: test}'), ['invalid']],
  ['a word as the detection', () => 'title: x\nlogsource: {category: x}\ndetection: x\n', ['invalid']],
  ['a list as the detection', () => 'title: x\nlogsource: {category: x}\ndetection: [{a: b}]\n', ['invalid']],
  ['null as the detection', () => 'title: x\nlogsource: {category: x}\ndetection:\n', ['invalid']],
  ['an unknown action', () => `action: explode\n---\n${simple}`, ['invalid', 'compiled']],
  ['a repetition of nothing', () => 'action: repeat\ntitle: x\n', ['invalid']],
  ['900 repetitions, each larger', () => `${simple}${lines(900, (at) => `---\naction: repeat\nkey${at}: x`)}\n`,
    ['invalid', 'compiled']],
  ['a global document of lists', () => `action: global\ndetection: [a]\n---\n${simple}`, ['invalid']],
  ['a global document of the prototype', () =>
    `action: global\n__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}\n---\n${simple}`, ['compiled']],
  ['a correlation of itself', () =>
    'title: x\nname: me\ncorrelation: {type: event_count, rules: [me], timespan: 1m, condition: {gte: 1}}\n',
  ['unsupported', 'invalid']],
  ['a filter that is a word', () => 'title: x\nlogsource: {category: x}\nfilter: x\n', ['unsupported', 'invalid']],
]
