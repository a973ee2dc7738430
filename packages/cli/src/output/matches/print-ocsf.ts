import type { Level } from '@tripline/engine'
import type { DescribedMatch } from './describe-match.ts'

/** Levels as severities of OCSF. */
const severities: { readonly [L in Level]: readonly [id: number, name: string] } = {
  informational: [1, 'Informational'], low: [2, 'Low'], medium: [3, 'Medium'], high: [4, 'High'], critical: [5, 'Critical'],
}

/** Makes a Detection Finding of OCSF 1.4 of a match. */
export function printFinding(match: DescribedMatch, now: number): object {
  const { at, rule, host, user, process, commandLine, sourceAddress, conditions, eventCount, place, text } = match
  const [severityId, severity] = rule.level === undefined ? [0, 'Unknown'] : severities[rule.level]
  const observables = [
    { name: 'device.hostname', type: 'Hostname', type_id: 1, value: host },
    { name: 'actor.user.name', type: 'User Name', type_id: 4, value: user },
    { name: 'src_endpoint.ip', type: 'IP Address', type_id: 2, value: sourceAddress },
    { name: 'process.cmd_line', type: 'Command Line', type_id: 13, value: commandLine },
  ].filter(({ value }) => value !== '')
  const isProcess = process !== '' || commandLine !== ''
  return {
    activity_id: 1, activity_name: 'Create', category_uid: 2, category_name: 'Findings', class_uid: 2004, class_name: 'Detection Finding',
    type_uid: 200_401, time: at ?? now, severity_id: severityId, severity, status_id: 1, status: 'New',
    message: rule.title,
    metadata: { version: '1.4.0', product: { name: 'Tripline', vendor_name: 'Tripline' }, logged_time: now },
    finding_info: {
      uid: [rule.id, place?.path, place?.line ?? at].filter((part) => part !== undefined).join(':'), title: rule.title,
      ...(rule.description !== undefined && { desc: rule.description }), created_time: now, first_seen_time: at ?? now,
      analytic: { uid: rule.id, name: rule.title, type: 'Rule', type_id: 1 },
      attacks: rule.tags.flatMap(toAttack),
      ...(rule.references.length > 0 && { src_url: rule.references[0] }),
    },
    ...(host !== '' && { device: { hostname: host, type: 'Unknown', type_id: 0 } }),
    evidences: [{
      data: { conditions },
      ...((user !== '' || isProcess) && {
        actor: {
          ...(user !== '' && { user: { name: user } }),
          ...(isProcess && { process: { ...(process !== '' && { file: { name: baseName(process), path: process, type_id: 1 } }),
            ...(commandLine !== '' && { cmd_line: commandLine }) } }),
        },
      }),
      ...(sourceAddress !== '' && { src_endpoint: { ip: sourceAddress } }),
    }],
    observables,
    ...(eventCount !== undefined && { count: eventCount }),
    ...(text !== undefined && { raw_data: text }),
  }
}

function toAttack(tag: string): object[] {
  const word = /^attack\.(.+)$/i.exec(tag)?.[1]
  if (word === undefined) return []
  const technique = /^t\d{4}(\.\d{3})?$/i.exec(word)
  if (technique !== null) {
    const uid = word.toUpperCase()
    return [{ version: '17', technique: { uid: uid.slice(0, 5) }, ...(technique[1] !== undefined && { sub_technique: { uid } }) }]
  }
  return /^[gsm]\d{4}$/i.test(word) ? [] : [{ version: '17', tactic: { name: word.replaceAll(/[_-]/g, ' ') } }]
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}
