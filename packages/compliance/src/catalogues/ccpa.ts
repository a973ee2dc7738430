import { readCatalogue } from './read-catalogue.ts'

/** The sections of the California Civil Code that state duties of a business. */
export const ccpa = readCatalogue({
  token: 'ccpa', name: 'CCPA', version: 'Civ. Code 1798.100 ff.', verification: 'attested', total: 11,
}, `
# Collection | 수집
1798.100 | Notice, purpose and retention | 고지, 목적과 보유 기간
# Rights of consumers | 소비자의 권리
1798.105 | Deletion | 삭제
1798.106 | Correction | 정정
1798.110 | What is collected | 수집 내역의 공개
1798.115 | What is sold or shared | 판매·공유 내역의 공개
1798.120 | Opting out of sale | 판매 거부
1798.121 | Limits on sensitive data | 민감정보 이용 제한
1798.125 | No retaliation | 차별 금지
# Duties of a business | 사업자의 의무
1798.130 | Answers to requests on time | 요청에 대한 기한 내 응답
1798.135 | Ways to opt out | 거부 수단 제공
1798.150 | Reasonable security | 합리적인 보안
`)
