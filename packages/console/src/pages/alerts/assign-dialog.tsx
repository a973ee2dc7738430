import { useQuery } from '@tanstack/react-query'
import type { PeopleBody } from '@tripline/contract/console/access/user'
import { useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { useUser } from '../../api/use-user.ts'
import { t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './bulk-dialog.module.css'

type AssignDialogProps = { readonly onAssign: (person: string) => void; readonly onClose: () => void }

/** Asks who is to look at the chosen alerts. */
export function AssignDialog({ onAssign, onClose }: AssignDialogProps): ReactNode {
  const { data, error, isError, refetch } = useQuery({
    queryKey: ['people'],
    queryFn: async ({ signal }) => (await callApi<PeopleBody>('/v1/people', { signal })).people,
    staleTime: 60_000,
  })
  return (
    <Dialog title={t('alerts.assign')} onClose={onClose}>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined && !isError && <Skeleton lines={2} />}
      {data !== undefined && <AssignForm people={data} onAssign={onAssign} onClose={onClose} />}
    </Dialog>
  )
}

function AssignForm({ people, onAssign, onClose }: AssignDialogProps & { readonly people: PeopleBody['people'] }): ReactNode {
  const { email } = useUser()
  const emails = people.map((person) => person.email)
  // There is a key of its own for oneself.
  const [person, setPerson] = useState(emails.find((one) => one !== email) ?? email)
  const assign = (event: FormEvent): void => {
    event.preventDefault()
    onAssign(person)
  }
  return (
    <form className={styles['form']} onSubmit={assign}>
      <Select
        label={t('alerts.column.assignee')}
        value={person}
        options={emails.map((value) => ({ value, label: toVisibleText(value) }))}
        onChange={setPerson}
      />
      <div className={styles['actions']}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button kind="primary" type="submit">{t('alerts.assign.confirm')}</Button>
      </div>
    </form>
  )
}
