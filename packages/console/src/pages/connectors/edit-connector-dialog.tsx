import type { ConnectorBody, ConnectorTestBody } from '@tripline/contract/console/sources/connector'
import { useRef, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { readForm } from '../../lib/read-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { showToast } from '../../ui/toast-store.ts'
import { CheckList } from './check-list.tsx'
import { changeConnector, testConnector, useConnector, useConnectorTypes } from './connector-queries.ts'
import type { VersionedConnector } from './connector-queries.ts'
import { findTypeName, listAskedSettings, listOtherFields, readConfig, toConfigChange } from './connector-types.ts'
import styles from './connector-form.module.css'
import { MoreSettings, SettingFields, readMore } from './setting-fields.tsx'

type EditConnectorDialogProps = { readonly id: string; readonly onClose: () => void }

/** Changes name and settings of a connector, which can be tested before they are saved. Secrets stay where none is typed. */
export function EditConnectorDialog({ id, onClose }: EditConnectorDialogProps): ReactNode {
  const connector = useConnector(id)
  const types = useConnectorTypes()
  const failed = [connector, types].find(({ isError }) => isError)
  return (
    <Dialog title={t('connectors.editTitle')} onClose={onClose}>
      {failed !== undefined && <ErrorMessage error={failed.error} onRetry={() => void failed.refetch()} />}
      {failed === undefined && (connector.data === undefined || types.data === undefined) && <Skeleton />}
      {connector.data !== undefined && types.data !== undefined && (
        <EditForm key={connector.data.etag} known={connector.data} catalogue={types.data} onClose={onClose} />
      )}
    </Dialog>
  )
}

type EditFormProps = {
  readonly known: VersionedConnector
  readonly catalogue: NonNullable<ReturnType<typeof useConnectorTypes>['data']>
  readonly onClose: () => void
}

function EditForm({ known, catalogue, onClose }: EditFormProps): ReactNode {
  const { connector: { id, name, type: typeId, config }, etag } = known
  const form = useRef<HTMLFormElement>(null)
  const type = findTypeName(typeId)
  const others = listOtherFields(typeId, catalogue)
  const [test, setTest] = useState<ConnectorTestBody>()
  const [saving, testing] = [useTask(), useTask()]
  const problem = saving.problem ?? testing.problem
  const readChange = (): { readonly name: string; readonly config: ConnectorBody['config'] } => {
    const read = form.current === null ? () => '' : readForm(form.current)
    const given = { ...readMore(others, read), ...(type !== undefined && readConfig(type, read)) }
    const asked = [...listAskedSettings(typeId), ...others.flatMap(({ name: setting, kind }) => (kind === 'secret' ? [] : [setting]))]
    return { name: read('name').trim(), config: toConfigChange(config, given, asked) }
  }
  const save = (event: FormEvent): void => {
    event.preventDefault()
    testing.clear()
    void saving.run(async () => {
      await changeConnector(id, readChange(), etag)
      showToast({ kind: 'notice', text: t('connectors.saved', { name: readChange().name }) })
      onClose()
    })
  }
  const check = (): void => {
    saving.clear()
    void testing.run(async () => setTest(await testConnector(id, { type: typeId, config: readChange().config })))
  }
  return (
    <form ref={form} className={styles['form']} onSubmit={save}>
      <Field label={t('connectors.column.name')} name="name" defaultValue={name} required autoFocus />
      {type !== undefined && <SettingFields type={type} config={config} isStored />}
      <MoreSettings type={typeId} fields={others} config={config} />
      {test !== undefined && <CheckList checks={test.checks} />}
      <Refusal text={problem} />
      <div className={styles['actions']}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button isBusy={testing.isBusy} onClick={check}>{t('connectors.test')}</Button>
        <Button kind="primary" type="submit" isBusy={saving.isBusy}>{t('save')}</Button>
      </div>
    </form>
  )
}
