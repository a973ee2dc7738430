import { readCatalogue } from './read-catalogue.ts'

/** The 110 practices of CMMC 2.0 level 2, by the numbers of NIST SP 800-171. */
export const cmmc = readCatalogue({
  token: 'cmmc', name: 'CMMC', version: '2.0 level 2', verification: 'attested', total: 110,
}, `
# Access control | 접근 통제
3.1.1 | Authorized users only | 승인된 사용자만 접근
3.1.2 | Permitted functions only | 허용된 기능만 사용
3.1.3 | Flow of controlled information | 통제 정보의 흐름
3.1.4 | Duties kept apart | 직무 분리
3.1.5 | Least privilege | 최소 권한
3.1.6 | Ordinary accounts for ordinary work | 일반 업무의 일반 계정
3.1.7 | Privileged functions logged | 특권 기능 기록
3.1.8 | Failed logons limited | 로그온 실패 제한
3.1.9 | Notices | 고지문
3.1.10 | Session lock | 세션 잠금
3.1.11 | Session end | 세션 종료
3.1.12 | Remote access controlled | 원격 접근 통제
3.1.13 | Remote access encrypted | 원격 접근 암호화
3.1.14 | Remote access routed | 원격 접근 경로
3.1.15 | Remote privileged commands | 원격 특권 명령
3.1.16 | Wireless authorized | 무선 승인
3.1.17 | Wireless protected | 무선 보호
3.1.18 | Mobile devices connected | 이동 기기 연결
3.1.19 | Mobile devices encrypted | 이동 기기 암호화
3.1.20 | External systems | 외부 시스템 연결
3.1.21 | Portable storage | 휴대 저장장치
3.1.22 | Public information | 공개 정보 통제
# Awareness and training | 인식과 교육
3.2.1 | Awareness of risks | 위험 인식
3.2.2 | Training by role | 역할별 교육
3.2.3 | Insider threat | 내부자 위협 인식
# Audit and accountability | 감사와 책임추적
3.3.1 | Audit records kept | 감사 기록 보존
3.3.2 | Actions traced to users | 사용자별 추적
3.3.3 | Logged events reviewed | 기록 대상 검토
3.3.4 | Failure of logging alerts | 기록 실패 경보
3.3.5 | Records correlated | 기록 연관 분석
3.3.6 | Reduction and reports | 축약과 보고
3.3.7 | Clocks synchronized | 시각 동기화
3.3.8 | Audit records protected | 감사 기록 보호
3.3.9 | Audit managed by few | 감사 관리자 제한
# Configuration | 구성 관리
3.4.1 | Baselines | 기준 구성
3.4.2 | Security settings | 보안 설정
3.4.3 | Changes tracked | 변경 추적
3.4.4 | Impact of changes | 변경 영향 분석
3.4.5 | Who may change | 변경 접근 제한
3.4.6 | Least functionality | 최소 기능
3.4.7 | Nonessential functions off | 불필요 기능 제한
3.4.8 | Allowed programs | 실행 허용 정책
3.4.9 | Software of users | 사용자 설치 소프트웨어
# Identification and authentication | 식별과 인증
3.5.1 | Identification | 식별
3.5.2 | Authentication | 인증
3.5.3 | Several factors | 다중 인증
3.5.4 | Replay resistance | 재전송 방지
3.5.5 | Identifiers not reused | 식별자 재사용 금지
3.5.6 | Unused identifiers off | 미사용 식별자 중지
3.5.7 | Password complexity | 비밀번호 복잡도
3.5.8 | Password reuse | 비밀번호 재사용 금지
3.5.9 | Temporary passwords | 임시 비밀번호
3.5.10 | Passwords encrypted | 비밀번호 암호화
3.5.11 | Feedback hidden | 인증 입력 가림
# Incident response | 사고 대응
3.6.1 | Incident handling | 사고 처리
3.6.2 | Incidents tracked and reported | 사고 추적과 보고
3.6.3 | Response tested | 대응 시험
# Maintenance | 유지보수
3.7.1 | Maintenance done | 유지보수 수행
3.7.2 | Maintenance controlled | 유지보수 통제
3.7.3 | Equipment cleaned | 반출 장비 정보 제거
3.7.4 | Media checked | 점검 매체 확인
3.7.5 | Remote maintenance | 원격 유지보수
3.7.6 | Maintenance people | 유지보수 인력
# Media | 매체 보호
3.8.1 | Media protected | 매체 보호
3.8.2 | Media access | 매체 접근
3.8.3 | Media disposal | 매체 폐기
3.8.4 | Media marked | 매체 표시
3.8.5 | Media accounted for | 매체 추적
3.8.6 | Media encrypted | 매체 암호화
3.8.7 | Removable media | 이동식 매체
3.8.8 | Media without owner | 소유자 없는 매체
3.8.9 | Backups protected | 백업 보호
# Personnel | 인적 보안
3.9.1 | Screening | 인력 심사
3.9.2 | Leaving and transfer | 퇴직과 이동
# Physical protection | 물리적 보호
3.10.1 | Physical access limited | 물리 접근 제한
3.10.2 | Facility monitored | 시설 감시
3.10.3 | Visitors escorted | 방문자 동행
3.10.4 | Physical access logged | 출입 기록
3.10.5 | Keys and cards | 출입 수단 관리
3.10.6 | Other work sites | 대체 근무지
# Risk assessment | 위험 평가
3.11.1 | Risks assessed | 위험 평가
3.11.2 | Vulnerability scans | 취약점 점검
3.11.3 | Vulnerabilities mended | 취약점 조치
# Security assessment | 보안 평가
3.12.1 | Controls assessed | 통제 평가
3.12.2 | Plans of action | 조치 계획
3.12.3 | Controls monitored | 통제 점검
3.12.4 | Security plan | 보안 계획
# System and communications | 시스템과 통신 보호
3.13.1 | Boundaries | 경계 보호
3.13.2 | Secure engineering | 보안 설계
3.13.3 | User and management functions apart | 사용자·관리 기능 분리
3.13.4 | Shared resources | 공유 자원
3.13.5 | Public systems apart | 공개 시스템 분리
3.13.6 | Denied by default | 기본 차단
3.13.7 | Split tunnels | 분할 터널
3.13.8 | Data on the way | 전송 데이터 보호
3.13.9 | Connections ended | 연결 종료
3.13.10 | Keys | 암호키 관리
3.13.11 | Approved cryptography | 검증된 암호
3.13.12 | Collaborative devices | 협업 장치
3.13.13 | Mobile code | 이동 코드
3.13.14 | Voice over IP | 인터넷 전화
3.13.15 | Authentic sessions | 통신 진위
3.13.16 | Data at rest | 저장 데이터 보호
# System and information integrity | 시스템과 정보 무결성
3.14.1 | Flaws mended | 결함 조치
3.14.2 | Malicious code | 악성코드 방지
3.14.3 | Alerts and advisories | 보안 경보와 권고
3.14.4 | Protection updated | 방지 수단 갱신
3.14.5 | Scans of files | 파일 점검
3.14.6 | Attacks monitored | 공격 감시
3.14.7 | Unauthorized use found | 무단 사용 식별
`)
