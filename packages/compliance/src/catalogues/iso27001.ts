import { readCatalogue } from './read-catalogue.ts'

/** Annex A of ISO/IEC 27001:2022: ids are facts, the titles are our own short words. */
export const iso27001 = readCatalogue({
  token: 'iso27001', name: 'ISO/IEC 27001', version: '2022', verification: 'attested', total: 93,
}, `
# Organizational | 조직
A.5.1 | Written security policies | 문서화된 보안 정책
A.5.2 | Who answers for security | 보안 역할과 책임
A.5.3 | Conflicting duties kept apart | 직무의 분리
A.5.4 | What managers must ask for | 관리자의 책임
A.5.5 | Contact with authorities | 관계 기관 연락망
A.5.6 | Contact with expert groups | 전문가 단체와의 교류
A.5.7 | Threat intelligence | 위협 정보 수집과 활용
A.5.8 | Security in projects | 프로젝트에서의 보안
A.5.9 | Inventory of assets | 자산 목록
A.5.10 | Rules for using assets | 자산 사용 규칙
A.5.11 | Assets handed back | 자산의 반납
A.5.12 | Information sorted by sensitivity | 정보의 등급 분류
A.5.13 | Labels on information | 정보의 등급 표시
A.5.14 | Passing information on | 정보의 전달
A.5.15 | Rules for access | 접근 통제 규칙
A.5.16 | Life of an identity | 식별자의 생애 관리
A.5.17 | Handling of credentials | 인증 수단의 관리
A.5.18 | Granting and removing rights | 권한의 부여와 회수
A.5.19 | Security with suppliers | 공급자와의 보안
A.5.20 | Security in supplier contracts | 공급 계약의 보안 조항
A.5.21 | Supply chain of technology | 기술 공급망 보안
A.5.22 | Watching what suppliers do | 공급자 서비스 점검
A.5.23 | Use of cloud services | 클라우드 서비스 이용
A.5.24 | Prepared for incidents | 사고 대응 준비
A.5.25 | Deciding what is an incident | 이벤트의 사고 판정
A.5.26 | Response to incidents | 사고 대응
A.5.27 | Learning from incidents | 사고에서 배우기
A.5.28 | Collecting evidence | 증거 수집
A.5.29 | Security during disruption | 중단 상황의 보안
A.5.30 | Technology ready for continuity | 연속성을 위한 준비
A.5.31 | Laws and contracts to obey | 법령과 계약 준수
A.5.32 | Rights in intellectual property | 지식재산권
A.5.33 | Protection of records | 기록의 보호
A.5.34 | Privacy of persons | 개인정보 보호
A.5.35 | Review by independent people | 독립적인 검토
A.5.36 | Checking that policies are kept | 정책 준수 확인
A.5.37 | Written operating procedures | 운영 절차서
# People | 인적
A.6.1 | Background checks | 채용 전 확인
A.6.2 | Terms of employment | 고용 조건
A.6.3 | Awareness and training | 인식과 교육
A.6.4 | Consequences of violations | 위반 시 조치
A.6.5 | Duties after leaving | 퇴직 후의 의무
A.6.6 | Confidentiality agreements | 비밀유지 약정
A.6.7 | Working from elsewhere | 원격 근무
A.6.8 | Reporting of events | 보안 이벤트 신고
# Physical | 물리
A.7.1 | Perimeters | 물리적 경계
A.7.2 | Entry | 출입 통제
A.7.3 | Offices and rooms | 사무실과 시설 보호
A.7.4 | Watching the premises | 시설 감시
A.7.5 | Threats of nature and surroundings | 환경적 위협 대비
A.7.6 | Work in secure areas | 보호 구역 작업
A.7.7 | Clear desks and screens | 책상과 화면 정리
A.7.8 | Where equipment stands | 장비의 배치와 보호
A.7.9 | Assets outside the premises | 외부 반출 자산
A.7.10 | Storage media | 저장 매체
A.7.11 | Power and other utilities | 전력 등 지원 설비
A.7.12 | Cabling | 배선 보호
A.7.13 | Maintenance of equipment | 장비 유지보수
A.7.14 | Disposal and reuse of equipment | 장비 폐기와 재사용
# Technological | 기술
A.8.1 | Devices of users | 사용자 단말
A.8.2 | Privileged rights | 특권 권한
A.8.3 | Restriction of access | 정보 접근 제한
A.8.4 | Access to source code | 소스 코드 접근
A.8.5 | Secure authentication | 안전한 인증
A.8.6 | Capacity | 용량 관리
A.8.7 | Protection from malware | 악성코드 방지
A.8.8 | Technical vulnerabilities | 기술적 취약점
A.8.9 | Configuration | 구성 관리
A.8.10 | Deletion of information | 정보의 삭제
A.8.11 | Masking of data | 데이터 가리기
A.8.12 | Leakage of data | 데이터 유출 방지
A.8.13 | Backup | 백업
A.8.14 | Redundancy | 이중화
A.8.15 | Logging | 로그 기록
A.8.16 | Monitoring | 모니터링
A.8.17 | Synchronized clocks | 시각 동기화
A.8.18 | Powerful utility programs | 특권 도구의 사용
A.8.19 | Installing software in operation | 운영 중 소프트웨어 설치
A.8.20 | Networks | 네트워크 보안
A.8.21 | Network services | 네트워크 서비스 보안
A.8.22 | Separated networks | 네트워크 분리
A.8.23 | Filtering of web sites | 웹 접속 필터링
A.8.24 | Use of cryptography | 암호 사용
A.8.25 | Secure development | 안전한 개발 과정
A.8.26 | Security needs of applications | 응용의 보안 요구
A.8.27 | Principles of secure design | 안전한 설계 원칙
A.8.28 | Secure coding | 안전한 코딩
A.8.29 | Security testing | 보안 시험
A.8.30 | Development by others | 외주 개발
A.8.31 | Development, test and operation apart | 개발·시험·운영 분리
A.8.32 | Changes | 변경 관리
A.8.33 | Data for tests | 시험 데이터
A.8.34 | Audits without disturbance | 감사 시험 중의 보호
`)
