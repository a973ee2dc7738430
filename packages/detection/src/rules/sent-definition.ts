import { AppError } from '@tripline/contract/app-error'
import { readYaml } from '@tripline/engine/yaml'
import { limits } from '../limits.ts'
import { editDefinition, readSingleMap, readStatedId } from './edit-definition.ts'
import { createRuleError, createYamlError, findPosition } from './rule-errors.ts'
import type { RuleProblem } from './rule-errors.ts'
import { splitDocuments } from './split-source.ts'
import type { DocumentText } from './split-source.ts'

/** A rule's text with an id, and the text that the client sent for it. */
export type SentDefinition = {
  readonly text: string
  readonly sent: DocumentText
}

/**
 * Splits the text of one request into its rules.
 *
 * @throws AppError INVALID_RULE for a text that is not YAML, holds too many rules, or cannot be separated.
 */
export function splitDefinition(definition: string): readonly DocumentText[] {
  const { documents, problem } = readYaml(definition)
  if (problem !== undefined) throw createYamlError(problem, definition)
  const { rulesAtOnceMax } = limits.rules
  const refuse = (message: string): never => {
    throw createRuleError(message, [{ path: '', message, line: 1, column: 1 }])
  }
  if (documents.length === 0) return refuse('the definition holds no rule')
  const isOver = documents.length > rulesAtOnceMax
  if (isOver) return refuse(`a request creates at most ${rulesAtOnceMax} rules; this text holds ${documents.length}`)
  const message = "the rules of the text cannot be separated; write '---' on a line of its own between them, without 'action'"
  return splitDocuments(definition) ?? refuse(message)
}

/** Adds an id to a text without one. @throws AppError INVALID_RULE for a text that is not one map. */
export function addRuleId(sent: DocumentText, id: string): SentDefinition {
  const hasId = readStatedId(readSingleMap(sent.text)) !== undefined
  return { sent, text: hasId ? sent.text : editDefinition(sent.text, new Map([['id', id]])) }
}

/**
 * Runs work on a definition; positions in the errors that it throws are those in the text that the client sent.
 *
 * @throws AppError as the work does.
 */
export async function withSentPositions<Result>(definition: SentDefinition, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.code, error.message, mapPositions(definition, error.details))
  }
}

function mapPositions(definition: SentDefinition, details: AppError['details']): AppError['details'] {
  if (details === undefined) return undefined
  const toSent = createPositionMap(definition)
  return Object.fromEntries(Object.entries(details).map(([name, value]) => {
    return [name, Array.isArray(value) ? value.map((problem: RuleProblem) => ({ ...problem, ...toSent(problem) })) : value]
  }))
}

/** Maps positions back over the line that an added id takes; in a text that was printed anew, by attribute. */
function createPositionMap({ text, sent }: SentDefinition): (problem: RuleProblem) => Pick<RuleProblem, 'line' | 'column'> {
  const [lines, sentLines] = [text.split('\n'), sent.text.split('\n')]
  const added = lines.findIndex((line, i) => line !== sentLines[i])
  const isAdded = lines.length === sentLines.length + 1 && lines.slice(added + 1).every((line, i) => line === sentLines[added + i])
  const toWhole = (line: number): number => line + sent.firstLine - 1
  return ({ path, line, column }) => {
    if (line === undefined) return {}
    if (text === sent.text) return { line: toWhole(line), ...(column !== undefined && { column }) }
    if (isAdded) return { line: toWhole(line > added + 1 ? line - 1 : line), ...(column !== undefined && { column }) }
    const found = findPosition(sent.text, path)
    return { ...found, line: toWhole(found.line) }
  }
}
