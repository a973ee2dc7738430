import { compileRules, explain, parseEvent } from '@tripline/engine'
import type { CompiledRule } from '@tripline/engine'
import { printPredicateAsQuery } from '@tripline/query'
import { completeRule, fixRules, lintRules } from '@tripline/rule-tools'
import type { LintFinding, RuleSuggestion } from '@tripline/rule-tools'
import { CodeActionKind, CompletionItemKind, DiagnosticSeverity } from 'vscode-languageserver-protocol'
import type { CodeAction, CompletionItem, Diagnostic, Position, Range, TextEdit } from 'vscode-languageserver-protocol'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { printExplanation } from '../output/print-explanation.ts'
import type { RuleDocuments } from './rule-documents.ts'

/** What a language server answers about one document, in the protocol's words. */

const severities: { readonly [level in LintFinding['level']]: DiagnosticSeverity } = {
  error: DiagnosticSeverity.Error, problem: DiagnosticSeverity.Warning, advice: DiagnosticSeverity.Information,
  style: DiagnosticSeverity.Hint, optional: DiagnosticSeverity.Hint,
}

/** Lints a document among the rules of its folder. */
export function findDiagnostics(documents: RuleDocuments, document: TextDocument): Diagnostic[] {
  return lintDocument(documents, document).map((finding) => ({
    range: toRange(document, finding), severity: severities[finding.level], code: finding.code, source: 'tripline',
    message: finding.hint === undefined ? finding.message : `${finding.message}; ${finding.hint}`,
  }))
}

/** The fixes of the findings in a range, and the fix of everything that is safe to fix. */
export function findActions(documents: RuleDocuments, document: TextDocument, range: Range): CodeAction[] {
  const findings = lintDocument(documents, document).filter(({ line }) => range.start.line <= line - 1 && line - 1 <= range.end.line)
  const fixes = findings.flatMap(({ code, message, fix }): CodeAction[] => {
    if (fix === undefined) return []
    const edits = fix.edits.map(({ offset, length, text }): TextEdit => {
      return { range: { start: document.positionAt(offset), end: document.positionAt(offset + length) }, newText: text }
    })
    const title = fix.isSafe ? `Fix ${code}: ${message}` : `Fix ${code}, which changes what the rule matches: ${message}`
    return [{ title, kind: CodeActionKind.QuickFix, isPreferred: fix.isSafe, edit: { changes: { [document.uri]: edits } } }]
  })
  const { text } = fixRules({ text: document.getText() })
  if (text === document.getText()) return fixes
  const whole = { start: { line: 0, character: 0 }, end: document.positionAt(document.getText().length) }
  const edit = { changes: { [document.uri]: [{ range: whole, newText: text }] } }
  return [...fixes, { title: 'Fix all that is safe to fix', kind: CodeActionKind.SourceFixAll, edit }]
}

const itemKinds: { readonly [kind in RuleSuggestion['kind']]: CompletionItemKind } = {
  attribute: CompletionItemKind.Property, field: CompletionItemKind.Field, modifier: CompletionItemKind.Function,
  selection: CompletionItemKind.Variable, value: CompletionItemKind.Value, word: CompletionItemKind.Keyword,
}

export function completeAt(document: TextDocument, position: Position): CompletionItem[] {
  const found = completeRule(document.getText(), document.offsetAt(position), { fields: [] })
  if (found === undefined) return []
  const range = { start: document.positionAt(found.from), end: document.positionAt(found.to) }
  return found.suggestions.map(({ text, kind }, i) => {
    return { label: text, kind: itemKinds[kind], sortText: String(i).padStart(5, '0'), textEdit: { range, newText: text } }
  })
}

/** What the first rule of a document finds, as a query; undefined over other lines than its title and condition. */
export function describeAt(documents: RuleDocuments, document: TextDocument, position: Position): string | undefined {
  const line = document.getText().split('\n')[position.line] ?? ''
  if (!/^\s*(?:title|condition):/.test(line)) return undefined
  const rule = compileDocument(documents, document)
  if (rule === undefined) return undefined
  const query = printPredicateAsQuery(rule.predicate)
  return 'text' in query
    ? `**${rule.title}** finds\n\n\`\`\`\n${query.text}\n\`\`\``
    : `**${rule.title}** has parts that no query states: ${query.unsaid.join(', ')}`
}

/** Explains the first rule of a document on an event in JSON, as `tripline explain` does. */
export function explainDocument(documents: RuleDocuments, document: TextDocument, eventText: string): string {
  const rule = compileDocument(documents, document)
  if (rule === undefined) return 'the document holds no detection rule that runs; its diagnostics tell why'
  const parsed = parseEvent(eventText)
  if (!('event' in parsed)) return `the event cannot be read: ${parsed.reason}`
  return printExplanation({ place: { line: 1, path: undefined }, rule, explanation: explain(rule, parsed.event) })
}

function lintDocument(documents: RuleDocuments, document: TextDocument): readonly LintFinding[] {
  const [report] = lintRules(documents.listSources(document))
  return report?.findings ?? []
}

function compileDocument(documents: RuleDocuments, document: TextDocument): CompiledRule | undefined {
  const [own] = documents.listSources(document)
  return own && compileRules([own]).ruleSet.rules[0]
}

/** The word at a finding, or the rest of its line. */
function toRange(document: TextDocument, { line, column }: LintFinding): Range {
  const text = document.getText().split('\n')[line - 1] ?? ''
  const start = Math.min(column - 1, text.length)
  const length = /^[\w|.@*-]+/.exec(text.slice(start))?.[0].length ?? text.slice(start).trimEnd().length
  return { start: { line: line - 1, character: start }, end: { line: line - 1, character: start + Math.max(1, length) } }
}
