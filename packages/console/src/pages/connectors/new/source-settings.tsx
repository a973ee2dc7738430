import type { ConnectorBody, ConnectorTestBody, NewConnectorBody } from '@tripline/contract/console/sources/connector'
import type { ConnectorTypeBody } from '@tripline/contract/console/sources/connector-type'
import { useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { t } from '../../../i18n/translate.ts'
import { readForm } from '../../../lib/read-form.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Refusal } from '../../../ui/forms/refusal.tsx'
import { useTask } from '../../../ui/forms/use-task.ts'
import { CheckList } from '../check-list.tsx'
import { createConnector, testConnector } from '../connector-queries.ts'
import type { ConnectorDraft } from '../connector-queries.ts'
import { listOtherFields, readConfig } from '../connector-types.ts'
import type { ConnectorProduct } from '../connector-types.ts'
import { MoreSettings, SettingFields, readMore } from '../setting-fields.tsx'
import styles from './new-connector-page.module.css'

type SourceSettingsProps = {
  readonly product: ConnectorProduct
  readonly catalogue: readonly ConnectorTypeBody[]
  /** A connector whose settings the new one begins with; secrets are typed anew. */
  readonly like: ConnectorBody | undefined
  readonly onBack: () => void
  readonly onCreated: (created: NewConnectorBody) => void
}

/** The settings of a new connector, which can be tested before it is created. */
export function SourceSettings({ product: source, catalogue, like, onBack, onCreated }: SourceSettingsProps): ReactNode {
  const { type, label } = source
  const form = useRef<HTMLFormElement>(null)
  const config = like?.type === type ? like.config : undefined
  const others = listOtherFields(type, catalogue)
  const [test, setTest] = useState<ConnectorTestBody>()
  const [saving, testing] = [useTask(), useTask()]
  const readDraft = (): ConnectorDraft => {
    const read = form.current === null ? () => '' : readForm(form.current)
    return { name: read('name').trim(), type, config: { ...readMore(others, read), ...readConfig(type, read) } }
  }
  const save = (event: FormEvent): void => {
    event.preventDefault()
    testing.clear()
    void saving.run(async () => onCreated(await createConnector(readDraft())))
  }
  const check = (): void => {
    saving.clear()
    void testing.run(async () => {
      const { config: given } = readDraft()
      setTest(await testConnector('new', { type, config: given }))
    })
  }
  return (
    <form ref={form} className={styles['form']} onSubmit={save} aria-label={t('connectors.step.settings')}>
      <h2 className={styles['title']}>{label}</h2>
      <Field
        label={t('connectors.column.name')}
        name="name"
        defaultValue={like === undefined ? nameAfter(source) : t('connectors.copyOf', { name: like.name })}
        required
        autoFocus
      />
      <SettingFields type={type} {...(config && { config })} />
      <MoreSettings type={type} fields={others} {...(config && { config })} />
      {test !== undefined && <CheckList checks={test.checks} />}
      {test?.sample !== undefined && <Sample events={test.sample} />}
      <Refusal text={saving.problem ?? testing.problem} />
      <div className={styles['actions']}>
        <Button onClick={onBack}>{t('connectors.back')}</Button>
        <Button isBusy={testing.isBusy} onClick={check}>{t('connectors.test')}</Button>
        <Button kind="primary" type="submit" isBusy={saving.isBusy}>{t('connectors.create')}</Button>
      </div>
    </form>
  )
}

/** The name of the product that sends, without what is said about it in brackets; none for what the server reads itself. */
function nameAfter({ product, name }: ConnectorProduct): string {
  return product === undefined ? '' : name.replace(/ \(.*\)$/, '')
}

/** Events as rules see them. */
export function Sample({ events }: { readonly events: readonly object[] }): ReactNode {
  return (
    <pre className={styles['snippet']} tabIndex={0} aria-label={t('connectors.samples.seen')}>
      {toVisibleText(JSON.stringify(events, undefined, 2))}
    </pre>
  )
}
