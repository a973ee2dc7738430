import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import type { Extension } from '@codemirror/state'
import { tags } from '@lezer/highlight'

/** Colours and sizes of the editor from the tokens, which reach into its shadow root. */
export const editorTheme: Extension = [
  EditorView.theme({
    '&': { height: '100%', color: 'var(--text)', backgroundColor: 'transparent', fontSize: 'var(--size-12)' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--font-mono)', fontVariantLigatures: 'none', lineHeight: 'var(--line-13)' },
    '.cm-content': { caretColor: 'var(--text)', padding: 'var(--space-8) 0' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-3)', border: 'none' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--selected)',
    },
    '.cm-tooltip': {
      backgroundColor: 'var(--overlay)', color: 'var(--text)', border: 'none', borderRadius: 'var(--radius)',
      boxShadow: 'var(--shadow)', fontFamily: 'var(--font)', fontSize: 'var(--size-12)',
    },
    '.cm-tooltip-autocomplete > ul > li': { padding: '4px 8px', lineHeight: 'var(--line-12)' },
    '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--selected)', color: 'var(--text)' },
    '.cm-completionDetail': { color: 'var(--text-3)', fontStyle: 'normal', marginLeft: '12px' },
    '.cm-diagnostic': { padding: '6px 10px', maxWidth: '480px', borderLeft: '3px solid var(--info-bar)' },
    '.cm-diagnostic-error': { borderLeftColor: 'var(--critical-bar)' },
    '.cm-diagnostic-warning': { borderLeftColor: 'var(--medium-bar)' },
    '.cm-diagnosticAction': {
      backgroundColor: 'var(--accent-solid)', color: 'var(--on-accent)', borderRadius: 'var(--radius-chip)', padding: '2px 8px',
      font: 'inherit', cursor: 'pointer',
    },
    '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--critical-bar)' },
    '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: 'underline wavy var(--medium-bar)' },
    '.cm-lintRange-info, .cm-lintRange-hint': { backgroundImage: 'none', textDecoration: 'underline dotted var(--text-3)' },
    '.cm-lint-marker': { content: '""', borderRadius: '50%', width: '8px', height: '8px', margin: '5px 3px' },
    '.cm-lint-marker-error': { content: '""', backgroundColor: 'var(--critical-bar)' },
    '.cm-lint-marker-warning': { content: '""', backgroundColor: 'var(--medium-bar)' },
    '.cm-lint-marker-info, .cm-lint-marker-hint': { content: '""', backgroundColor: 'var(--info-bar)' },
    '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  }),
  syntaxHighlighting(HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
    { tag: [tags.string, tags.special(tags.string)], color: 'var(--ok)' },
    { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--high)' },
    { tag: [tags.comment, tags.lineComment], color: 'var(--text-3)', fontStyle: 'italic' },
    { tag: [tags.labelName, tags.typeName], color: 'var(--low)' },
  ])),
]
