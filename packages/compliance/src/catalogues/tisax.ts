import { readCatalogue } from './read-catalogue.ts'

/** VDA ISA 6.0.2, which TISAX assesses: ids are facts, the titles are our own short words. */
export const tisax = readCatalogue({
  token: 'tisax', name: 'TISAX', version: 'VDA ISA 6.0.2', verification: 'attested', total: 80,
}, `
# Information security | 정보보호
1.1.1 | Policies | 정책
1.2.1 | Management of security | 보안 관리체계
1.2.2 | Responsibilities | 책임
1.2.3 | Security in projects | 프로젝트 보안
1.2.4 | Duties shared with providers | 서비스 제공자와의 책임 분담
1.3.1 | Assets recorded | 자산의 식별과 기록
1.3.2 | Assets classified | 자산의 분류
1.3.3 | Approved services | 승인된 외부 서비스
1.3.4 | Approved software | 승인된 소프트웨어
1.4.1 | Risks | 위험 관리
1.5.1 | Compliance checked | 준수 확인
1.5.2 | Independent review | 독립 검토
1.6.1 | Events reported | 이벤트 신고
1.6.2 | Reported events handled | 신고된 이벤트 처리
1.6.3 | Ready for crises | 위기 대비
2.1.1 | Qualified people | 인력의 자격
2.1.2 | Contractual duties | 계약상 의무
2.1.3 | Awareness and training | 인식과 교육
2.1.4 | Mobile work | 이동 근무
3.1.1 | Security zones | 보안 구역
3.1.2 | Superseded by 1.6.3, 5.2.8 and 5.2.9 | 1.6.3, 5.2.8, 5.2.9로 대체됨
3.1.3 | Supporting assets | 지원 자산
3.1.4 | Mobile devices and media | 이동 기기와 매체
4.1.1 | Means of identification | 식별 수단
4.1.2 | User access secured | 사용자 접근 보호
4.1.3 | Accounts and logins | 계정과 로그인 정보
4.2.1 | Access rights | 접근 권한
5.1.1 | Cryptography | 암호
5.1.2 | Transfer of information | 전송 중 보호
5.2.1 | Changes | 변경
5.2.2 | Development and test apart | 개발·시험 환경 분리
5.2.3 | Malware | 악성코드
5.2.4 | Event logs | 이벤트 로그
5.2.5 | Vulnerabilities | 취약점
5.2.6 | Technical checks of systems | 시스템 기술 점검
5.2.7 | Network | 네트워크
5.2.8 | Continuity of services | 서비스 연속성
5.2.9 | Backup and recovery | 백업과 복구
5.3.1 | Security of new systems | 새 시스템의 보안
5.3.2 | Needs of network services | 네트워크 서비스 요구
5.3.3 | Return and removal of data | 정보의 회수와 삭제
5.3.4 | Shared external services | 공유 외부 서비스
6.1.1 | Contractors and partners | 협력사
6.1.2 | Confidentiality agreements | 비밀유지
7.1.1 | Laws and contracts | 법령과 계약
7.1.2 | Personal data | 개인정보
# Prototype protection | 시제품 보호
8.1.1 | Security concept | 보안 개념
8.1.2 | Perimeter | 외곽 보안
8.1.3 | Outer walls | 건물 외피
8.1.4 | Protection from view | 시야 차단
8.1.5 | Unauthorized entry | 무단 출입 방지
8.1.6 | Intrusion monitoring | 침입 감시
8.1.7 | Visitors | 방문자
8.1.8 | Clients kept apart | 고객사 분리
8.2.1 | Confidentiality duties | 비밀유지 의무
8.2.2 | Subcontractors | 하도급
8.2.3 | Training | 교육
8.2.4 | Classification known | 등급의 숙지
8.2.5 | Access to areas | 구역 접근 절차
8.2.6 | Image recording | 촬영 규정
8.2.7 | Devices that record | 촬영 기기 반입
8.3.1 | Transport | 운송
8.3.2 | Parking and storage | 주차와 보관
8.4.1 | Camouflage | 위장
8.4.2 | Test grounds | 시험장
8.4.3 | Tests on public roads | 공공도로 시험
8.5.1 | Presentations and events | 발표와 행사
8.5.2 | Film and photo | 영상과 사진 촬영
# Data protection | 데이터 보호
9.1.1 | Policies | 정책
9.2.1 | Responsibilities | 책임
9.3.1 | Record of processing | 처리 기록
9.4.1 | Processing of high risk | 고위험 처리
9.5.1 | Transfers | 이전
9.5.2 | Duties of contractors | 수탁자의 의무
9.5.3 | Transfers to other countries | 제3국 이전
9.6.1 | Requests of persons | 정보주체 요청
9.6.2 | Data incidents | 개인정보 사고
9.7.1 | Confidentiality of staff | 직원의 비밀유지
9.7.2 | Training | 교육
9.8.1 | Instructions | 지시의 처리
`)
