import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { t } from '../../../i18n/translate.ts'
import { printTime } from '../../../lib/format-time.ts'
import { readForm } from '../../../lib/read-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { copyText } from '../../../ui/copy-text.ts'
import { Refusal } from '../../../ui/forms/refusal.tsx'
import { useTask } from '../../../ui/forms/use-task.ts'
import { Copy } from '../../../ui/icons.tsx'
import styles from '../connector-form.module.css'
import { createToken } from './collector-queries.ts'

type Enrolment = Awaited<ReturnType<typeof createToken>>

/** Makes a token for one collector, and prints what to type on its machine. The token is shown once. */
export function NewCollectorDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [made, setMade] = useState<Enrolment>()
  const { problem, isBusy, run } = useTask()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const name = readForm(event.currentTarget)('name').trim()
    void run(async () => setMade(await createToken(name)))
  }
  return (
    <Dialog title={t('collectors.new')} onClose={onClose}>
      {made === undefined
        ? (
            <form className={styles['form']} onSubmit={submit}>
              <Field label={t('connectors.column.name')} name="name" hint={t('collectors.name.hint')} autoFocus />
              <Refusal text={problem} />
              <div className={styles['actions']}>
                <Button onClick={onClose}>{t('cancel')}</Button>
                <Button kind="primary" type="submit" isBusy={isBusy}>{t('connectors.create')}</Button>
              </div>
            </form>
          )
        : <Commands made={made} onClose={onClose} />}
    </Dialog>
  )
}

function Commands({ made: { token, expires_at: until }, onClose }: { readonly made: Enrolment; readonly onClose: () => void }): ReactNode {
  const commands = printCommands(location.origin, token)
  return (
    <div className={styles['form']}>
      <p className={styles['text']}>{t('collectors.enrol', { time: printTime(until) })}</p>
      <pre className={styles['snippet']} tabIndex={0}>{commands}</pre>
      <p className={styles['text']}>{t('collectors.program')}</p>
      <div className={styles['actions']}>
        <Button icon={Copy} onClick={() => void copyText(commands)}>{t('connectors.copy')}</Button>
        <Button kind="primary" onClick={onClose}>{t('connectors.done')}</Button>
      </div>
    </div>
  )
}

/** The configuration of a collector with a first source, its enrolment and its start, as one types them as root. */
function printCommands(origin: string, token: string): string {
  return `mkdir -p /etc/tripline/sources.d
cat > /etc/tripline/collector.yaml <<'END'
server:
  url: ${origin}
END
cat > /etc/tripline/sources.d/logs.yaml <<'END'
type: file
paths: [/var/log/*.log]
END
tripline-collector enroll --token ${token}
tripline-collector run
`
}
