/** One fenced block of a Markdown text. */
export type CodeBlock = {
  /** The word after the fence: `ts`; empty when there is none. */
  readonly language: string
  readonly text: string
  /** Where its fence stands, from 1. */
  readonly line: number
}

/** Something that runs, and what its document says that it prints. */
export type Example = {
  readonly source: string
  readonly line: number
  /** Undefined where the document shows none. */
  readonly output: string | undefined
}

/** Lists the fenced blocks of a Markdown text, in order. */
export function parseCodeBlocks(markdown: string): CodeBlock[] {
  const fenced = /^(?<fence>`{3,})(?<language>\S*)[^\n]*\n(?<text>[^]*?)^\k<fence>$/gm
  return [...markdown.matchAll(fenced)].map(({ index, groups }) => {
    const { language = '', text = '' } = groups ?? {}
    return { language, text, line: markdown.slice(0, index).split('\n').length }
  })
}

/** Lists the `ts` blocks, each with the `output` block that follows it, if one does. */
export function findModules(markdown: string): Example[] {
  const blocks = parseCodeBlocks(markdown)
  return blocks.flatMap(({ language, text, line }, index) => {
    if (language !== 'ts') return []
    const next = blocks[index + 1]
    return [{ source: text, line, output: next?.language === 'output' ? next.text : undefined }]
  })
}

/**
 * Lists the commands of `sh` blocks, a line each, and those of `console` blocks, which begin with `$ ` and
 * are followed by what they print. Continued lines are joined.
 */
export function findCommands(markdown: string): Example[] {
  return parseCodeBlocks(markdown).flatMap(({ language, text, line }): Example[] => {
    const joined = text.replaceAll(/\\\n\s*/g, '')
    if (language === 'sh') {
      const lines = joined.split('\n').filter((source) => source.trim() !== '' && !source.startsWith('#'))
      return lines.map((source) => ({ source, line, output: undefined }))
    }
    if (language !== 'console') return []
    return [...joined.matchAll(/^\$ (?<source>.*)\n(?<output>(?:(?!\$ ).*\n)*)/gm)]
      .map(({ groups }) => ({ source: groups?.['source'] ?? '', line, output: groups?.['output'] ?? '' }))
  })
}

/**
 * Turns the docstrings of a TypeScript source into Markdown of the same line numbers, so that their
 * examples are found like those of a README.
 */
export function extractDocstrings(source: string): string {
  return source.split('\n').map((line) => /^\s*\* ?(?!\/)(.*)$/.exec(line)?.[1] ?? '').join('\n')
}

/** Lists the targets of links that lead to files of the project: `docs/STYLE.md#names`. */
export function findLinks(markdown: string): string[] {
  const prose = markdown.replaceAll(/^(`{3,})[^]*?^\1$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\((?<target>[^()\s]+)\)/g)]
    .map(({ groups }) => groups?.['target'] ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
}

/** The anchors of a document's headings, as web pages of repositories derive them. */
export function listAnchors(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').trim().replaceAll(/\s/g, '-'))
}
