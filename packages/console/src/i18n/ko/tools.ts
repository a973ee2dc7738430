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
} as const
