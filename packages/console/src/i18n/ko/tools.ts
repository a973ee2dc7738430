/** 여러 페이지에서 클릭하면 열리는 것의 글: 열, 보기, 플레이북. */
export const koTools = {
  'columns': '열',
  'columns.up': '{title} 앞으로 옮기기',
  'columns.down': '{title} 뒤로 옮기기',
  'columns.narrower': '{title} 좁히기',
  'columns.wider': '{title} 넓히기',
  'columns.reset': '처음 열로 되돌리기',
  'preferences.failed': '환경 설정을 이 브라우저에만 보관합니다: {problem}',
  'views': '보기',
  'views.save': '보기 저장',
  'views.name': '보기 이름',
  'views.delete': '보기 {name} 삭제',
  'views.shared': '테넌트의 모든 사용자와 공유',
  'playbooks.run': '플레이북 실행',
  'playbooks.runOne': '플레이북 {name} 실행',
  'playbooks.begun': '플레이북 {name}을(를) 시작했습니다.',
  'playbooks.failed': '플레이북 {name}을(를) 시작하지 못했습니다: {problem}',
} as const
