import { acceptCompletion, autocompletion, startCompletion } from '@codemirror/autocomplete'
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import type { Diagnostic } from '@codemirror/lint'
import { Annotation, EditorSelection, EditorState } from '@codemirror/state'
import type { SelectionRange } from '@codemirror/state'
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view'
import type { LintFinding, RuleCompletion } from '@tripline/rule-tools'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { editorTheme } from './editor-theme.ts'
import styles from './editor.module.css'

/** Where the cursor is to go; each object moves it once. */
export type EditorPlace = { readonly line: number; readonly column: number }

type EditorProps = {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly isReadOnly: boolean
  /** Problems of `checkedText`, which are shown while it is the text. */
  readonly findings: readonly LintFinding[]
  readonly checkedText: string
  readonly complete: (text: string, offset: number) => Promise<RuleCompletion | undefined>
  readonly place?: EditorPlace | undefined
}

/** Marks a change that came with the properties, which the owner of the text knows already. */
const isGiven = Annotation.define<boolean>()

const severities = { error: 'error', problem: 'warning', advice: 'info', style: 'hint', optional: 'hint' } as const

/** The editor of a rule: problems with their fixes, completion, folding. Tab indents; Escape, then Tab or Escape again leaves it. */
export function Editor(props: EditorProps): ReactNode {
  const { text, isReadOnly, findings, checkedText, place } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef(props)
  /** Texts that were told to the owner and have not come back as the property, oldest first. */
  const told = useRef<string[]>([])
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    // The editor writes styles: in a shadow root they are constructed sheets, which the content security policy allows.
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const state = createState(latest.current.text, isReadOnly, () => latest.current, told.current)
    const created = new EditorView({ parent: root, root, state })
    view.current = created
    return () => created.destroy()
  }, [isReadOnly])
  useEffect(() => {
    const shown = view.current
    // A text of the editor comes back after a render, when more may have been typed: it must not replace what is newer.
    const index = told.current.indexOf(text)
    told.current.splice(0, index === -1 ? told.current.length : index + 1)
    if (index !== -1 || shown === undefined || shown.state.doc.toString() === text) return
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: text }, annotations: isGiven.of(true) })
  }, [text])
  useEffect(() => {
    const shown = view.current
    if (shown === undefined || shown.state.doc.toString() !== checkedText) return
    shown.dispatch(setDiagnostics(shown.state, findings.map((finding) => toDiagnostic(shown.state, finding))))
  }, [findings, checkedText, isReadOnly])
  useEffect(() => {
    const shown = view.current
    if (shown === undefined || place === undefined) return
    const line = shown.state.doc.line(Math.max(1, Math.min(shown.state.doc.lines, place.line)))
    const anchor = Math.min(line.to, line.from + Math.max(0, place.column - 1))
    shown.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
    shown.focus()
  }, [place])
  return <div ref={host} className={styles['editor']} />
}

function createState(doc: string, isReadOnly: boolean, getProps: () => EditorProps, told: string[]): EditorState {
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const before = context.state.sliceDoc(0, context.pos)
    if (!context.explicit && !/[\w|.]$/.test(before)) return null
    // Without the engine there are no suggestions; the check of the same text says why. The editor would print the error.
    const found = await getProps().complete(context.state.doc.toString(), context.pos).catch(() => undefined)
    if (found === undefined) return null
    const options = found.suggestions.map(({ text: label, kind }) => ({ label, detail: t(`workbench.suggestion.${kind}`) }))
    return { from: found.from, to: found.to, options, filter: false }
  }
  return EditorState.create({
    doc,
    extensions: [
      lineNumbers(), foldGutter(), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(),
      highlightActiveLine(), highlightActiveLineGutter(), yaml(), editorTheme,
      autocompletion({ override: [complete], icons: false, interactionDelay: 0 }),
      EditorState.readOnly.of(isReadOnly),
      // Browsers focus what is editable without it; checkers of accessibility look for it.
      EditorView.contentAttributes.of({ 'aria-label': t('workbench.editor'), 'spellcheck': 'false', 'tabindex': '0' }),
      EditorView.domEventHandlers({ beforeinput: replaceSelected, keydown: forgetEscape, focus: forgetAtFocus }),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        if (!docChanged || transactions.every((transaction) => transaction.annotation(isGiven) === true)) return
        const text = state.doc.toString()
        told.push(text)
        getProps().onChange(text)
      }),
      keymap.of([
        { key: 'Tab', run: (target) => acceptCompletion(target) || indentMore(target), shift: indentLess },
        { key: 'Mod-Space', run: startCompletion },
        ...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap,
        { key: 'Escape', run: leaveAtSecond },
      ]),
    ],
  })
}

/** Views in which Escape was the last key. */
const escaped = new WeakSet<EditorView>()

/** Leaves the editor at the second Escape: the first closes what is open, and lets Tab go on to the next control. */
function leaveAtSecond(view: EditorView): boolean {
  if (escaped.has(view)) view.contentDOM.blur()
  else escaped.add(view)
  return false
}

function forgetAtFocus(_event: FocusEvent, view: EditorView): boolean {
  escaped.delete(view)
  return false
}

function forgetEscape({ key }: KeyboardEvent, view: EditorView): boolean {
  if (key !== 'Escape') escaped.delete(view)
  return false
}

/**
 * Replaces selected text by what is typed. Where the browser does it, it keeps the colours of the old text as inline styles, which
 * the content security policy refuses.
 */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
  const { inputType, data, isComposing } = event
  if (inputType !== 'insertText' || data === null || isComposing || view.state.readOnly) return false
  const selected = readSelected(event, view)
  if (selected.empty) return false
  event.preventDefault()
  if (!selected.eq(view.state.selection.main)) view.dispatch({ selection: EditorSelection.create([selected]) })
  view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
  return true
}

/**
 * What the browser would replace. The editor learns of a selection by an event that may come after that of the input, and within a
 * shadow root the input does not always state its ranges: the selection itself does.
 */
function readSelected(event: InputEvent, view: EditorView): SelectionRange {
  const [range = readComposedRange(view)] = event.getTargetRanges()
  if (range === undefined || !view.contentDOM.contains(range.startContainer)) return view.state.selection.main
  const { startContainer, startOffset, endContainer, endOffset } = range
  return EditorSelection.range(view.posAtDOM(startContainer, startOffset), view.posAtDOM(endContainer, endOffset))
}

/** What is selected in the document by now; nothing in browsers that cannot tell it within a shadow root. */
function readComposedRange({ root }: EditorView): StaticRange | undefined {
  // Older browsers do not have it.
  const selection: Partial<Pick<Selection, 'getComposedRanges'>> | null = document.getSelection()
  return root instanceof ShadowRoot ? selection?.getComposedRanges?.({ shadowRoots: [root] })[0] : undefined
}

function toDiagnostic(state: EditorState, finding: LintFinding): Diagnostic {
  const { line, column, level, message, hint, fix, code } = finding
  const at = state.doc.line(Math.max(1, Math.min(state.doc.lines, line)))
  const from = Math.min(at.to, at.from + Math.max(0, column - 1))
  // To the end of the word, or of what stands there.
  const rest = /^[\w|.-]+|^\S+/.exec(state.sliceDoc(from, at.to))?.[0] ?? ''
  return {
    from, to: from + rest.length, severity: severities[level], source: code,
    message: hint === undefined ? message : `${message}: ${hint}`,
    ...(fix !== undefined && {
      actions: [{
        name: t(fix.isSafe ? 'workbench.fix' : 'workbench.fixPerhaps'),
        apply: (view: EditorView) => view.dispatch({
          changes: fix.edits.map(({ offset, length, text }) => ({ from: offset, to: offset + length, insert: text })),
        }),
      }],
    }),
  }
}
