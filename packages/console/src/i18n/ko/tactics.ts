/** 전술 이름. 영어 이름은 식별자에서 만든다. */
export const koTactics: { readonly [tactic: string]: string } = {
  reconnaissance: '정찰',
  'resource-development': '자원 개발',
  'initial-access': '초기 접근',
  execution: '실행',
  persistence: '지속',
  'privilege-escalation': '권한 상승',
  'defense-evasion': '방어 회피',
  stealth: '은닉',
  'defense-impairment': '방어 무력화',
  'credential-access': '자격 증명 접근',
  discovery: '탐색',
  'lateral-movement': '내부 이동',
  collection: '수집',
  'command-and-control': '명령 및 제어',
  exfiltration: '유출',
  impact: '영향',
}
