/** 플레이그라운드의 글. */
export const koPlayground = {
  'playground.documentTitle': 'Tripline 플레이그라운드',
  'playground.title': 'Sigma 플레이그라운드',
  'playground.note': '엔진이 이 페이지에서 실행됩니다. 쓰신 내용은 어디에도 보내지 않습니다.',
  'playground.share': '링크 복사',
  'playground.tooLong': '규칙과 이벤트가 너무 깁니다. 링크에는 최대 {max}자까지 담을 수 있습니다.',
  'playground.damaged': '링크가 잘렸거나 바뀌어 읽을 수 없습니다. 아래는 예제입니다.',
  'playground.language': 'English로 바꾸기',
} as const
