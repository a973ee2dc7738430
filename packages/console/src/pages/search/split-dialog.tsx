import { useId } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import styles from './split-dialog.module.css'
import { useFieldCatalog } from './search-queries.ts'

/** Asks for any field of the stored events, with their names to choose from. */
export function SplitDialog({ onChoose, onClose }: {
  readonly onChoose: (field: string) => void
  readonly onClose: () => void
}): ReactNode {
  const listId = useId()
  const { data } = useFieldCatalog(true)
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    onChoose(readForm(event.currentTarget)('field').trim())
    onClose()
  }
  return (
    <Dialog title={t('search.split')} onClose={onClose}>
      <form className={styles['form']} onSubmit={submit}>
        <Field
          label={t('search.split.field')}
          name="field"
          list={listId}
          required
          pattern=".*\S.*"
          autoComplete="off"
          autoFocus
          spellCheck={false}
        />
        <datalist id={listId}>
          {data?.fields.map(({ name }) => <option key={name} value={name} />)}
        </datalist>
        <div className={styles['actions']}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit">{t('search.split.apply')}</Button>
        </div>
      </form>
    </Dialog>
  )
}
