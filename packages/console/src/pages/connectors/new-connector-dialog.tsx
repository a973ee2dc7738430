import type { ConnectorTestBody, NewConnectorBody } from '@tripline/contract/console/sources/connector'
import { useEffect, useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { copyText } from '../../ui/field-list.tsx'
import { Copy } from '../../ui/icons.tsx'
import { CheckList } from './check-list.tsx'
import { createConnector, testConnector, useConnectorList } from './connector-queries.ts'
import type { ConnectorDraft } from './connector-queries.ts'
import { connectorTypes, listFields, printSnippet, readConfig } from './connector-types.ts'
import type { ConnectorType } from './connector-types.ts'
import styles from './new-connector-dialog.module.css'

type NewConnectorDialogProps = { readonly onClose: () => void; readonly onCreated: (id: string) => void }

/** Adds a source of events: its kind, its settings with a test, then what to configure, until the first event arrives. */
export function NewConnectorDialog({ onClose, onCreated }: NewConnectorDialogProps): ReactNode {
  const [created, setCreated] = useState<NewConnectorBody>()
  return (
    <Dialog title={t('connectors.new')} onClose={onClose}>
      {created === undefined
        ? <SettingsForm onCreated={setCreated} onClose={onClose} />
        : (
            <FirstEvent
              connector={created}
              onDone={() => {
                onCreated(created.id)
                onClose()
              }}
            />
          )}
    </Dialog>
  )
}

type SettingsFormProps = { readonly onCreated: (created: NewConnectorBody) => void; readonly onClose: () => void }

function SettingsForm({ onCreated, onClose }: SettingsFormProps): ReactNode {
  const form = useRef<HTMLFormElement>(null)
  const [type, setType] = useState<ConnectorType>('http_ndjson')
  const [problem, setProblem] = useState<string>()
  const [test, setTest] = useState<ConnectorTestBody>()
  const [busy, setBusy] = useState<'test' | 'save'>()
  const readDraft = (): ConnectorDraft => {
    const read = form.current === null ? () => '' : readForm(form.current)
    return { name: read('name').trim(), type, config: readConfig(type, read) }
  }
  const run = async (kind: 'test' | 'save', task: () => Promise<void>): Promise<void> => {
    setBusy(kind)
    setProblem(undefined)
    try {
      await task()
    } catch (error) {
      setProblem(getErrorText(error))
    }
    setBusy(undefined)
  }
  const save = (event: FormEvent): void => {
    event.preventDefault()
    void run('save', async () => onCreated(await createConnector(readDraft())))
  }
  const check = (): void => void run('test', async () => {
    const { config } = readDraft()
    setTest(await testConnector('new', { type, config }))
  })
  return (
    <form ref={form} className={styles['form']} onSubmit={save}>
      <Select
        label={t('connectors.column.type')}
        value={type}
        options={connectorTypes.map(({ id }) => ({ value: id, label: t(`connectors.type.${id}`) }))}
        onChange={(next) => {
          setType(next)
          setTest(undefined)
        }}
      />
      <Field label={t('connectors.column.name')} name="name" required autoFocus />
      {listFields(type).map(({ key, isRequired, isSecret }) => (
        <Field
          key={key}
          label={t(`connectors.field.${key}`)}
          name={key}
          required={isRequired === true}
          {...(isSecret === true && { type: 'password', autoComplete: 'off' })}
        />
      ))}
      {test !== undefined && <CheckList checks={test.checks} />}
      {problem !== undefined && <p className={styles['problem']} role="alert">{problem}</p>}
      <div className={styles['actions']}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button isBusy={busy === 'test'} onClick={check}>{t('connectors.test')}</Button>
        <Button kind="primary" type="submit" isBusy={busy === 'save'}>{t('connectors.create')}</Button>
      </div>
    </form>
  )
}

/** How often the page looks for the first event. */
const waitMs = 2_000

function FirstEvent({ connector, onDone }: { readonly connector: NewConnectorBody; readonly onDone: () => void }): ReactNode {
  const { data, refetch } = useConnectorList()
  const received = data?.find(({ id }) => id === connector.id)?.stats.events_received_total ?? 0
  const hasArrived = received > 0
  useEffect(() => {
    if (hasArrived) return undefined
    const timer = setInterval(() => void refetch(), waitMs)
    return () => clearInterval(timer)
  }, [hasArrived, refetch])
  const snippet = printSnippet(connector, location.origin)
  return (
    <div className={styles['form']}>
      {connector.ingest !== undefined && <p className={styles['text']}>{t('connectors.once')}</p>}
      {snippet !== undefined && (
        <>
          <pre className={styles['snippet']} tabIndex={0}>{snippet}</pre>
          <div>
            <Button icon={Copy} onClick={() => void copyText(snippet)}>{t('connectors.copy')}</Button>
          </div>
        </>
      )}
      <p role="status" className={styles['state']} data-arrived={hasArrived || undefined}>
        {hasArrived ? t('connectors.arrived', { count: received }) : t('connectors.waiting')}
      </p>
      <div className={styles['actions']}>
        <Button kind="primary" onClick={onDone}>{t('connectors.done')}</Button>
      </div>
    </div>
  )
}
