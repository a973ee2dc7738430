import type { Channel, Notice } from '@tripline/model/delivery/channel'

type Words = {
  readonly notices: { readonly [type in Notice['type']]: string }
  readonly severities: { readonly [severity in NonNullable<Notice['severity']>]: string }
  readonly statuses: { readonly [status: string]: string }
  readonly escalated: string
  readonly summary: (count: number) => string
  readonly more: (count: number) => string
  readonly status: string
  readonly updatedBy: string
  readonly open: string
}

/** The words of messages. */
export const channelWords: { readonly [language in Channel['language']]: Words } = {
  en: {
    notices: {
      'alert.created': 'New alert', 'alert.updated': 'Alert changed', 'incident.created': 'New incident',
      'incident.updated': 'Incident changed', 'collector.disconnected': 'Collector disconnected',
      'collector.connected': 'Collector connected', 'connector.unhealthy': 'Connector unhealthy', 'rule.disabled': 'Rule disabled',
      'channel.test': 'Test', 'playbook.notify': 'Playbook', 'report.ready': 'Report',
      'report.failed': 'Report failed',
    },
    severities: { critical: 'critical', high: 'high', medium: 'medium', low: 'low', info: 'info' },
    statuses: {
      open: 'open', in_progress: 'investigating', investigating: 'investigating', resolved: 'resolved',
      false_positive: 'false positive', contained: 'contained', eradicated: 'eradicated', recovered: 'recovered', closed: 'closed',
    },
    escalated: 'Not acknowledged',
    summary: (count) => `${count} notifications`,
    more: (count) => `and ${count} more`,
    status: 'Status', updatedBy: 'Changed by', open: 'Open in the console',
  },
  ko: {
    notices: {
      'alert.created': '새 경보', 'alert.updated': '경보 변경', 'incident.created': '새 사고', 'incident.updated': '사고 변경',
      'collector.disconnected': '수집기 연결 끊김', 'collector.connected': '수집기 연결됨', 'connector.unhealthy': '커넥터 이상',
      'rule.disabled': '규칙 비활성화', 'channel.test': '테스트', 'playbook.notify': '플레이북', 'report.ready': '보고서', 'report.failed': '보고서 실패',
    },
    severities: { critical: '심각', high: '높음', medium: '보통', low: '낮음', info: '정보' },
    statuses: {
      open: '열림', in_progress: '조사 중', investigating: '조사 중', resolved: '해결됨', false_positive: '오탐', contained: '차단됨',
      eradicated: '제거됨', recovered: '복구됨', closed: '종료됨',
    },
    escalated: '미확인',
    summary: (count) => `알림 ${count}건`,
    more: (count) => `외 ${count}건`,
    status: '상태', updatedBy: '변경한 사람', open: '콘솔에서 열기',
  },
}
