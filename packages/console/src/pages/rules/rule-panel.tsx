import { Link } from '@tanstack/react-router'
import type { RuleDetail } from '@tripline/contract/console/rule'
import type { ReactNode } from 'react'
import { enRuleParts } from '../../i18n/en/rule-parts.ts'
import { addTexts, t } from '../../i18n/translate.ts'
import { useNow } from '../../lib/clock.ts'
import { printAge, printTime } from '../../lib/format-time.ts'
import { useKeys } from '../../lib/keys.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill, SeverityLabel } from '../../ui/badge.tsx'
import { buttonLink, IconButton, Kbd } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Copy, X } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/loading/skeleton.tsx'
import { PanelSection, SidePanel } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import { printLogSource, RuleHealth } from './rule-columns.tsx'
import { RequiredFields, RuleFigures } from './rule-figures.tsx'
import styles from './rule-panel.module.css'
import { useMatches, useRuleDetail } from './rule-queries.ts'
import { WordedSwitch } from './rule-switch.tsx'

// They are no part of the first page.
addTexts(enRuleParts)

type RulePanelProps = { readonly id: string; readonly mayEdit: boolean; readonly onClose: () => void }

/** Everything about one rule, beside the list: what it looks for, whether it can, what it found, and its text. */
export function RulePanel({ id, mayEdit, onClose }: RulePanelProps): ReactNode {
  const { data, error, isError, refetch } = useRuleDetail(id)
  const copyLink = (): void => void copyText(location.href)
  useKeys([{ keys: 'm', label: t('rules.keys.copyLink'), run: copyLink }])
  return (
    <SidePanel
      label={data?.title ?? t('rules.title')}
      head={
        <>
          <div className={styles['line']}>
            {data !== undefined && <SeverityLabel severity={data.severity_raw ?? data.level} />}
            {data !== undefined && <RuleHealth health={data.health} />}
            <span className={styles['space']} />
            {data !== undefined && <WordedSwitch rule={data} mayEdit={mayEdit} />}
            {mayEdit && (
              <Link to="/rules/$id" params={{ id: 'new' } as never} search={{ clone: id } as never} className={buttonLink}>
                {t('rule.clone')}
              </Link>
            )}
            <Link to="/rules/$id" params={{ id } as never} className={buttonLink}>
              {t('rule.open')} <Kbd keys="o" />
            </Link>
            <IconButton icon={Copy} label={t('rules.keys.copyLink')} onClick={copyLink} />
            <IconButton icon={X} label={t('close')} onClick={onClose} />
          </div>
          <h2 className={styles['title']}>{toVisibleText(data?.title ?? '')}</h2>
        </>
      }
    >
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data === undefined && !isError && <Skeleton />}
      {data !== undefined && <Details rule={data} />}
    </SidePanel>
  )
}

function Details({ rule }: { readonly rule: RuleDetail }): ReactNode {
  const { id, description, required_fields: fields, filters, false_positives: benign, references, definition } = rule
  return (
    <>
      <PanelSection title={t('rules.section.about')}>
        {description !== '' && <p className={styles['text']}>{toVisibleText(description)}</p>}
        <dl className={styles['facts']}>
          <Fact name={t('rules.fact.source')} value={printLogSource(rule.logsource)} />
          <Fact name={t('rules.fact.techniques')} value={rule.mitre.techniques.join(', ')} />
          <Fact name={t('rules.fact.author')} value={rule.author} />
          <Fact name={t('rules.fact.status')} value={rule.status} />
          <Fact name={t('rules.fact.version')} value={t('rules.version', { version: String(rule.version), date: rule.modified })} />
        </dl>
      </PanelSection>
      <PanelSection title={t('rules.section.figures')}>
        <RuleFigures rule={rule} />
      </PanelSection>
      {fields.length > 0 && (
        <PanelSection title={t('rules.section.fields')}>
          <RequiredFields fields={fields} />
        </PanelSection>
      )}
      <Matches id={id} />
      {filters.length > 0 && (
        <PanelSection title={t('rules.section.exceptions')}>
          <ul className={styles['list']}>
            {filters.map(({ id: filter, title, owner, reason, expires_at: until, active }) => (
              <li key={filter}>
                <Pill tone={active ? 'accent' : 'neutral'}>{active ? t('rules.active') : t('rules.expired')}</Pill> {toVisibleText(title)}
                <p className={styles['text']}>{toVisibleText(t('rules.exception', { reason, owner, time: printTime(until) }))}</p>
              </li>
            ))}
          </ul>
        </PanelSection>
      )}
      <Texts title={t('rules.section.falsePositives')} texts={benign} />
      <Texts title={t('rules.section.references')} texts={references} />
      <PanelSection title={t('rules.section.definition')}>
        <pre className={styles['definition']} tabIndex={0}>
          <code>{toVisibleText(definition)}</code>
        </pre>
      </PanelSection>
    </>
  )
}

function Matches({ id }: { readonly id: string }): ReactNode {
  const { data, error, isError, refetch } = useMatches(id)
  const now = useNow()
  return (
    <PanelSection title={t('rules.section.matches')}>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p className={styles['text']}>{t('rules.noMatch')}</p>}
      <ul className={styles['list']}>
        {data?.map(({ match_id: match, alert_id: alert, timestamp: at, event }) => (
          <li key={match}>
            <Link to="/alerts" search={{ rule: id, from: '-90d', alert }} className={styles['match']}>
              <span className={styles['mono']}>{toVisibleText([event.host, event.user].filter(Boolean).join(' · '))}</span>
              <time dateTime={at} title={printTime(at)}>
                {printAge(at, now)}
              </time>
              <span className={styles['command']}>{toVisibleText(event.command_line || event.process_name)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}

/** Texts of the rule; an address is text to copy, since rules come from strangers. */
function Texts({ title, texts }: { readonly title: string; readonly texts: readonly string[] }): ReactNode {
  if (texts.length === 0) return null
  return (
    <PanelSection title={title}>
      <ul className={styles['list']}>
        {texts.map((text) => (
          <li key={text}>{toVisibleText(text)}</li>
        ))}
      </ul>
    </PanelSection>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): ReactNode {
  if (value === '') return null
  return (
    <div className={styles['fact']}>
      <dt>{name}</dt>
      <dd>{toVisibleText(value)}</dd>
    </div>
  )
}
