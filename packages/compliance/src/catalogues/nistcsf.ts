import { readCatalogue } from './read-catalogue.ts'

/** The subcategories of the NIST Cybersecurity Framework 2.0: ids are facts, the titles are our own short words. */
export const nistcsf = readCatalogue({
  token: 'nistcsf', name: 'NIST CSF', version: '2.0', verification: 'attested', total: 106,
}, `
# Govern | 거버넌스
GV.OC-01 | Mission understood | 임무의 이해
GV.OC-02 | Stakeholders understood | 이해관계자의 이해
GV.OC-03 | Legal duties understood | 법적 의무의 이해
GV.OC-04 | What others depend on | 타인이 의존하는 서비스
GV.OC-05 | What we depend on | 우리가 의존하는 서비스
GV.RM-01 | Risk objectives | 위험 관리 목표
GV.RM-02 | Appetite and tolerance | 위험 선호와 허용
GV.RM-03 | Part of enterprise risk | 전사 위험 관리와 연계
GV.RM-04 | Options of response | 위험 대응 방향
GV.RM-05 | Lines of communication | 위험 소통 경로
GV.RM-06 | One method for risks | 위험 산정 방법
GV.RM-07 | Opportunities | 긍정적 위험
GV.RR-01 | Leaders answer for risk | 경영진의 책임
GV.RR-02 | Roles and authorities | 역할과 권한
GV.RR-03 | Adequate resources | 충분한 자원
GV.RR-04 | Security in staffing | 인사 관리의 보안
GV.PO-01 | Policy set | 정책 수립
GV.PO-02 | Policy kept current | 정책 갱신
GV.OV-01 | Outcomes reviewed | 성과 검토
GV.OV-02 | Strategy adjusted | 전략 조정
GV.OV-03 | Performance measured | 성과 측정
GV.SC-01 | Program for suppliers | 공급망 프로그램
GV.SC-02 | Supplier roles | 공급망 역할
GV.SC-03 | Part of risk management | 공급망 위험의 통합
GV.SC-04 | Suppliers known and ranked | 공급자 목록과 우선순위
GV.SC-05 | Requirements in contracts | 계약 요구사항
GV.SC-06 | Care before contracts | 계약 전 실사
GV.SC-07 | Supplier risks followed | 공급자 위험 관리
GV.SC-08 | Suppliers in incident plans | 사고 계획의 공급자 포함
GV.SC-09 | Practices over the life cycle | 생애주기 공급망 보안
GV.SC-10 | After a contract ends | 계약 종료 후 조치
# Identify | 식별
ID.AM-01 | Hardware inventory | 하드웨어 목록
ID.AM-02 | Software and system inventory | 소프트웨어와 시스템 목록
ID.AM-03 | Network and data flows | 네트워크와 데이터 흐름
ID.AM-04 | Services of suppliers | 공급자 서비스 목록
ID.AM-05 | Assets ranked | 자산 우선순위
ID.AM-07 | Data inventory | 데이터 목록
ID.AM-08 | Assets over their life | 자산 생애주기 관리
ID.RA-01 | Vulnerabilities recorded | 취약점 식별과 기록
ID.RA-02 | Threat intelligence | 위협 정보 수신
ID.RA-03 | Threats recorded | 위협 식별과 기록
ID.RA-04 | Impact and likelihood | 영향과 가능성
ID.RA-05 | Risk understood | 위험의 이해
ID.RA-06 | Responses chosen | 위험 대응 선택
ID.RA-07 | Changes and exceptions | 변경과 예외 관리
ID.RA-08 | Disclosures handled | 취약점 신고 처리
ID.RA-09 | Authentic products | 제품의 진위 확인
ID.RA-10 | Critical suppliers assessed | 핵심 공급자 평가
ID.IM-01 | Improved by evaluations | 평가를 통한 개선
ID.IM-02 | Improved by tests | 시험을 통한 개선
ID.IM-03 | Improved by operation | 운영을 통한 개선
ID.IM-04 | Plans kept and improved | 계획의 유지와 개선
# Protect | 보호
PR.AA-01 | Identities and credentials | 식별자와 자격증명
PR.AA-02 | Identities proofed | 신원 확인
PR.AA-03 | Authentication | 인증
PR.AA-04 | Assertions protected | 신원 증명의 보호
PR.AA-05 | Permissions | 접근 권한
PR.AA-06 | Physical access | 물리적 접근
PR.AT-01 | Awareness for all | 전 직원 교육
PR.AT-02 | Training for special roles | 전문 역할 교육
PR.DS-01 | Data at rest | 저장 데이터 보호
PR.DS-02 | Data on the way | 전송 데이터 보호
PR.DS-10 | Data in use | 사용 중 데이터 보호
PR.DS-11 | Backups | 백업
PR.PS-01 | Configuration | 구성 관리
PR.PS-02 | Software maintained | 소프트웨어 유지
PR.PS-03 | Hardware maintained | 하드웨어 유지
PR.PS-04 | Logs for monitoring | 모니터링용 로그
PR.PS-05 | Unauthorized software prevented | 무단 소프트웨어 방지
PR.PS-06 | Secure development | 안전한 개발
PR.IR-01 | Networks protected | 네트워크 보호
PR.IR-02 | Environmental threats | 환경 위협 대비
PR.IR-03 | Resilience | 복원력
PR.IR-04 | Capacity | 용량
# Detect | 탐지
DE.CM-01 | Networks monitored | 네트워크 감시
DE.CM-02 | Physical environment monitored | 물리 환경 감시
DE.CM-03 | People and usage monitored | 인력과 기술 사용 감시
DE.CM-06 | Service providers monitored | 외부 서비스 감시
DE.CM-09 | Computers and software monitored | 컴퓨터와 소프트웨어 감시
DE.AE-02 | Events analysed | 이벤트 분석
DE.AE-03 | Events correlated | 이벤트 연관
DE.AE-04 | Impact and scope | 영향과 범위
DE.AE-06 | Information for those who act | 담당자에게 정보 제공
DE.AE-07 | Intelligence and context | 위협 정보와 맥락 결합
DE.AE-08 | Incidents declared | 사고 선언
# Respond | 대응
RS.MA-01 | Response plan carried out | 대응 계획 실행
RS.MA-02 | Reports triaged | 신고 분류와 검증
RS.MA-03 | Incidents ranked | 사고 분류와 우선순위
RS.MA-04 | Incidents escalated | 사고 상향 보고
RS.MA-05 | When recovery begins | 복구 개시 기준
RS.AN-03 | What happened and why | 사고 경위 분석
RS.AN-06 | Actions recorded | 조치 기록
RS.AN-07 | Incident data kept intact | 사고 자료의 무결성
RS.AN-08 | Size of an incident | 사고 규모 산정
RS.CO-02 | Stakeholders notified | 이해관계자 통지
RS.CO-03 | Information shared | 정보 공유
RS.MI-01 | Incidents contained | 사고 봉쇄
RS.MI-02 | Incidents eradicated | 사고 제거
# Recover | 복구
RC.RP-01 | Recovery plan carried out | 복구 계획 실행
RC.RP-02 | Recovery actions | 복구 조치
RC.RP-03 | Backups checked before use | 사용 전 백업 확인
RC.RP-04 | Critical functions considered | 핵심 기능 고려
RC.RP-05 | Restored assets checked | 복구 자산 확인
RC.RP-06 | End of recovery | 복구 종료 선언
RC.CO-03 | Progress communicated | 복구 진행 공유
RC.CO-04 | Public updates | 대외 공지
`)
