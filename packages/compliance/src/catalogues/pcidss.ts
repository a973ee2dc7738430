import { readCatalogue } from './read-catalogue.ts'

/** The sections x.y of PCI DSS 4.0.1: ids are facts, the titles are our own short words. */
export const pcidss = readCatalogue({
  token: 'pcidss', name: 'PCI DSS', version: '4.0.1', verification: 'attested', total: 63,
}, `
# Network security controls | 네트워크 보안 통제
1.1 | Procedures for network controls | 네트워크 통제 절차
1.2 | Network controls configured | 네트워크 통제 구성
1.3 | Traffic of the card environment | 카드 환경의 통신 제한
1.4 | Trusted and untrusted networks | 신뢰·비신뢰 구간 통제
1.5 | Devices on two networks | 두 망을 쓰는 단말
# Secure configurations | 안전한 구성
2.1 | Procedures for configurations | 구성 절차
2.2 | Systems configured securely | 시스템의 안전한 구성
2.3 | Wireless configured securely | 무선의 안전한 구성
# Stored account data | 저장된 계정 데이터
3.1 | Procedures for stored data | 저장 데이터 절차
3.2 | As little stored as possible | 최소 저장
3.3 | No authentication data after use | 승인 후 인증 데이터 미저장
3.4 | Display of card numbers | 카드 번호 표시 제한
3.5 | Card numbers unreadable | 카드 번호 보호
3.6 | Keys protected | 암호 키 보호
3.7 | Life of keys | 암호 키 생애 관리
# Transmission | 전송
4.1 | Procedures for transmission | 전송 보호 절차
4.2 | Strong cryptography on the way | 강한 전송 암호
# Malicious software | 악성 소프트웨어
5.1 | Procedures against malware | 악성코드 대응 절차
5.2 | Malware prevented or detected | 악성코드 방지와 탐지
5.3 | Protection active and watched | 방지 수단의 가동과 감시
5.4 | Phishing | 피싱 방지
# Secure systems and software | 안전한 시스템과 소프트웨어
6.1 | Procedures for development | 개발 절차
6.2 | Own software built securely | 자체 소프트웨어의 안전한 개발
6.3 | Vulnerabilities found and handled | 취약점 식별과 조치
6.4 | Public web applications protected | 공개 웹 보호
6.5 | Changes managed | 변경 관리
# Access by need to know | 업무 필요에 따른 접근
7.1 | Procedures for access | 접근 절차
7.2 | Access assigned by need | 필요에 따른 권한
7.3 | A system that enforces access | 접근 통제 시스템
# Identification and authentication | 식별과 인증
8.1 | Procedures for identities | 식별 절차
8.2 | Accounts over their life | 계정의 생애 관리
8.3 | Strong authentication | 강한 인증
8.4 | Second factor required | 다중 인증 적용
8.5 | Second factor not to be bypassed | 다중 인증 우회 방지
8.6 | Accounts of applications | 응용 계정 관리
# Physical access | 물리적 접근
9.1 | Procedures for physical access | 물리 접근 절차
9.2 | Entry to facilities | 시설 출입
9.3 | People and visitors | 인원과 방문자
9.4 | Media | 매체
9.5 | Payment terminals | 결제 단말
# Logging and monitoring | 로그와 모니터링
10.1 | Procedures for logs | 로그 절차
10.2 | Audit logs written | 감사 로그 기록
10.3 | Audit logs protected | 감사 로그 보호
10.4 | Audit logs reviewed | 감사 로그 검토
10.5 | Audit logs kept | 감사 로그 보존
10.6 | Clocks synchronized | 시각 동기화
10.7 | Failures of controls noticed | 통제 장애의 인지
# Testing | 시험
11.1 | Procedures for tests | 시험 절차
11.2 | Wireless access points | 무선 접속 지점
11.3 | Scans for vulnerabilities | 취약점 점검
11.4 | Penetration tests | 침투 시험
11.5 | Intrusions and changed files | 침입과 파일 변경 탐지
11.6 | Changed payment pages | 결제 페이지 변경 탐지
# Policies and programs | 정책과 프로그램
12.1 | Security policy | 보안 정책
12.2 | Acceptable use | 사용 규칙
12.3 | Risks assessed | 위험 평가
12.4 | Management of compliance | 준수 관리
12.5 | Scope documented | 범위 문서화
12.6 | Awareness | 인식 교육
12.7 | Screening of people | 인력 확인
12.8 | Service providers watched | 위탁사 관리
12.9 | Duties of service providers | 위탁사의 의무
12.10 | Response to incidents | 사고 대응
`)
