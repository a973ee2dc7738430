import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { lazyPart } from '../ui/loading/lazy-part.tsx'
import type { EditorPlace } from './editor.tsx'
import styles from './editor-pane.module.css'
import type { RuleEngine } from './rule-engine.ts'
import type { RuleCheckState } from './use-rule-check.ts'

// The editor is larger than all the rest of the page.
const Editor = lazyPart(
  async () => (await import('./editor.tsx')).Editor,
  ({ text }, message) => (
    <>
      {message}
      <pre className={styles['plain']}>{text}</pre>
    </>
  ),
)

type EditorPaneProps = {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly isReadOnly: boolean
  readonly state: RuleCheckState
  readonly engine: RuleEngine
  readonly place: EditorPlace | undefined
}

const noFindings: readonly never[] = []

/** The text of a rule in the editor, with the verdict of the engine. */
export function EditorPane({ text, onChange, isReadOnly, state: { check, text: checkedText }, engine, place }: EditorPaneProps): ReactNode {
  const fields = check?.fields ?? []
  return (
    <section className={styles['pane']} aria-label={t('workbench.editor')}>
      <Editor
        text={text}
        onChange={onChange}
        isReadOnly={isReadOnly}
        findings={check?.findings ?? noFindings}
        checkedText={checkedText}
        complete={(source, offset) => engine.run({ kind: 'complete', text: source, offset, fields })}
        place={place}
      />
    </section>
  )
}
