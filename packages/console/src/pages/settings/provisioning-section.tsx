import type { CreatedProvisioningTokenBody, ProvisioningBody } from '@tripline/contract/console/access/provisioning'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { callApi } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Copy, Plus } from '../../ui/icons.tsx'
import { Question } from '../../ui/forms/question.tsx'
import { Refusal } from '../../ui/forms/refusal.tsx'
import { useTask } from '../../ui/forms/use-task.ts'
import styles from './forms.module.css'
import { PendingSection, PlainTable, SecretDialog, Section, Time } from './parts.tsx'
import { refreshList, useList } from './settings-queries.ts'

type Token = ProvisioningBody['tokens'][number]

const path = '/v1/settings/scim'

/** How an identity provider provisions users and groups: its address and tokens, and what came. */
export function ProvisioningSection(): ReactNode {
  const { data, error, refetch } = useList<ProvisioningBody>('scim', path)
  if (data === undefined) {
    return <PendingSection title={t('settings.provisioning')} hint={t('settings.scim.hint')} error={error} onRetry={() => void refetch()} />
  }
  return (
    <>
      <Section title={t('settings.provisioning')} hint={t('settings.scim.hint')}>
        <BaseUrl url={data.base_url} />
        <Tokens tokens={data.tokens} />
      </Section>
      <Provisioned {...data} />
    </>
  )
}

/** What the administrator enters at the provider. */
function BaseUrl({ url }: { readonly url: string | null }): ReactNode {
  if (url === null) return <Refusal text={t('settings.scim.noUrl')} />
  return (
    <div className={styles['group']}>
      <span className={styles['label']}>{t('settings.scim.url')}</span>
      <div className={styles['row']}>
        <code className={styles['code']}>{url}</code>
        <Button icon={Copy} onClick={() => void copyText(url)}>
          {t('settings.copy')}
        </Button>
      </div>
    </div>
  )
}

function Tokens({ tokens }: { readonly tokens: readonly Token[] }): ReactNode {
  const [secret, setSecret] = useState<string>()
  const [asked, setAsked] = useState<Token>()
  const issuing = useTask()
  const revoking = useTask()
  const issue = (): void => {
    void issuing.run(async () => {
      setSecret((await callApi<CreatedProvisioningTokenBody>(`${path}/tokens`, { method: 'POST', body: {} })).token)
      await refreshList('scim')
    })
  }
  const revoke = ({ id }: Token): void => {
    void revoking.run(async () => {
      await callApi(`${path}/tokens/${encodeURIComponent(id)}`, { method: 'DELETE' })
      await refreshList('scim')
    }, t('settings.scim.revoked')).then((isDone) => {
      if (isDone) setAsked(undefined)
    })
  }
  return (
    <>
      <div className={styles['row']}>
        <Button kind="primary" icon={Plus} isBusy={issuing.isBusy} onClick={issue}>
          {t('settings.scim.issue')}
        </Button>
      </div>
      <Refusal text={issuing.problem} />
      {tokens.length === 0 && <p className={styles['note']}>{t('settings.scim.noToken')}</p>}
      {tokens.length > 0 && (
        <PlainTable
          label={t('settings.scim.tokens')}
          heads={[t('settings.scim.created'), t('settings.keys.used'), t('settings.keys.expires'), t('settings.actions')]}
        >
          {tokens.map((token) => (
            <tr key={token.id}>
              <td><Time at={token.created_at} /></td>
              <td><Time at={token.last_used_at} /></td>
              <td><Time at={token.expires_at} /></td>
              <td>
                <Button kind="danger" onClick={() => setAsked(token)}>{t('settings.keys.revoke')}</Button>
              </td>
            </tr>
          ))}
        </PlainTable>
      )}
      {asked !== undefined && (
        <Question
          title={t('settings.scim.revoke')}
          text={t('settings.scim.revokeText', { time: printTime(asked.created_at) })}
          confirm={t('settings.keys.revoke')}
          task={revoking}
          onConfirm={() => revoke(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {secret !== undefined && <SecretDialog title={t('settings.scim.new')} secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}

/** The users and groups that came, and the role that each group gives. */
function Provisioned({ groups, user_count, users_without_role }: ProvisioningBody): ReactNode {
  return (
    <Section title={t('settings.scim.groups')} hint={t('settings.scim.groupsHint')}>
      <p>{t('settings.scim.users', { count: user_count })}</p>
      {users_without_role > 0 && <p className={styles['note']}>{t('settings.scim.withoutRole', { count: users_without_role })}</p>}
      {groups.length === 0 && <p className={styles['note']}>{t('settings.scim.noGroup')}</p>}
      {groups.length > 0 && (
        <PlainTable
          label={t('settings.scim.groups')}
          heads={[t('settings.name'), t('settings.scim.externalId'), t('settings.scim.members'), t('settings.scim.role')]}
        >
          {groups.map(({ id, name, external_id, member_count, role }) => (
            <tr key={id}>
              <td>{toVisibleText(name)}</td>
              <td>{external_id === null ? '' : toVisibleText(external_id)}</td>
              <td>{member_count}</td>
              <td>{role === null ? t('settings.scim.noRole') : t(`settings.role.${role}`)}</td>
            </tr>
          ))}
        </PlainTable>
      )}
      <Link to="/settings/roles">{t('settings.sso.toRoles')}</Link>
    </Section>
  )
}
