import { readCatalogue } from './read-catalogue.ts'

/** The operational articles of Regulation (EU) 2016/679: 5 to 7, 9 to 22, 24 to 39 and 44 to 49. */
export const gdpr = readCatalogue({
  token: 'gdpr', name: 'GDPR', version: '2016/679', verification: 'attested', total: 39,
}, `
# Principles | 원칙
Art. 5 | Principles of processing | 처리 원칙
Art. 6 | Lawful grounds | 적법한 처리 근거
Art. 7 | Conditions for consent | 동의 조건
Art. 9 | Special categories of data | 민감정보 처리
Art. 10 | Data on offences | 범죄 관련 정보
Art. 11 | Processing without identification | 식별이 필요 없는 처리
# Rights of persons | 정보주체의 권리
Art. 12 | Requests answered plainly and on time | 요청에 대한 투명한 응답
Art. 13 | Information when data is collected | 수집 시 정보 제공
Art. 14 | Information when data comes from others | 간접 수집 시 정보 제공
Art. 15 | Access | 열람권
Art. 16 | Correction | 정정권
Art. 17 | Erasure | 삭제권
Art. 18 | Restriction | 처리 제한권
Art. 19 | Recipients notified | 수령자에 대한 통지
Art. 20 | Portability | 이동권
Art. 21 | Objection | 반대권
Art. 22 | Automated decisions | 자동화된 결정
# Controllers and processors | 처리자와 수탁자
Art. 24 | Responsibility of the controller | 처리자의 책임
Art. 25 | Protection by design and default | 설계와 기본값에 의한 보호
Art. 26 | Joint controllers | 공동 처리자
Art. 27 | Representatives in the Union | 역내 대리인
Art. 28 | Processors | 수탁자
Art. 29 | Processing on instruction | 지시에 따른 처리
Art. 30 | Records of processing | 처리 활동 기록
Art. 31 | Cooperation with authorities | 감독기관 협력
Art. 32 | Security of processing | 처리의 보안
Art. 33 | Breaches reported to the authority | 감독기관 유출 신고
Art. 34 | Breaches told to persons | 정보주체 유출 통지
Art. 35 | Impact assessment | 영향 평가
Art. 36 | Consultation beforehand | 사전 협의
Art. 37 | Data protection officer named | 보호책임자 지정
Art. 38 | Position of the officer | 보호책임자의 지위
Art. 39 | Tasks of the officer | 보호책임자의 업무
# Transfers | 국외 이전
Art. 44 | General rule for transfers | 이전의 일반 원칙
Art. 45 | Adequate countries | 적정성 결정
Art. 46 | Safeguards | 적절한 보호조치
Art. 47 | Binding corporate rules | 구속력 있는 기업 규칙
Art. 48 | Orders of other countries | 제3국의 명령
Art. 49 | Exceptions | 예외
`)
