import { readCatalogue } from './read-catalogue.ts'

/** The criteria of the Korean ISMS-P certification, notice of 2023: ids are facts, the titles are our own short words. */
export const ismsp = readCatalogue({
  token: 'ismsp', name: 'ISMS-P', version: '2023', verification: 'attested', total: 101,
}, `
# Management system | 관리체계
1.1.1 | Management takes part | 경영진의 참여
1.1.2 | Chief officers named | 최고책임자 지정
1.1.3 | Organization for security | 보안 조직 구성
1.1.4 | Scope | 범위 설정
1.1.5 | Policies | 정책 수립
1.1.6 | Resources | 자원 할당
1.2.1 | Assets identified | 정보자산 식별
1.2.2 | Present state and flows | 현황과 흐름 분석
1.2.3 | Risks assessed | 위험 평가
1.2.4 | Measures chosen | 보호대책 선정
1.3.1 | Measures put in place | 보호대책 구현
1.3.2 | Measures shared | 보호대책 공유
1.3.3 | Operation managed | 운영현황 관리
1.4.1 | Legal duties reviewed | 법적 요구 검토
1.4.2 | System inspected | 관리체계 점검
1.4.3 | System improved | 관리체계 개선
# Protective measures | 보호대책
2.1.1 | Policies kept current | 정책의 유지관리
2.1.2 | Organization kept current | 조직의 유지관리
2.1.3 | Assets managed | 정보자산 관리
2.2.1 | Key people | 주요 직무자 관리
2.2.2 | Duties kept apart | 직무 분리
2.2.3 | Pledges of security | 보안 서약
2.2.4 | Awareness and training | 인식제고와 교육
2.2.5 | Leaving and changing jobs | 퇴직과 직무변경
2.2.6 | Violations | 위반 시 조치
2.3.1 | Outside parties known | 외부자 현황 관리
2.3.2 | Contracts with outside parties | 외부자 계약 보안
2.3.3 | Outside parties checked | 외부자 이행 관리
2.3.4 | End of contracts | 외부자 계약 만료 보안
2.4.1 | Protected areas | 보호구역 지정
2.4.2 | Entry | 출입 통제
2.4.3 | Systems in their place | 정보시스템 보호
2.4.4 | Protective equipment | 보호설비 운영
2.4.5 | Work in protected areas | 보호구역 내 작업
2.4.6 | Devices in and out | 반출입 기기 통제
2.4.7 | Workplace | 업무환경 보안
2.5.1 | User accounts | 사용자 계정 관리
2.5.2 | Unique users | 사용자 식별
2.5.3 | Authentication | 사용자 인증
2.5.4 | Passwords | 비밀번호 관리
2.5.5 | Privileged accounts | 특수 계정과 권한 관리
2.5.6 | Rights reviewed | 접근권한 검토
2.6.1 | Network access | 네트워크 접근
2.6.2 | System access | 정보시스템 접근
2.6.3 | Application access | 응용프로그램 접근
2.6.4 | Database access | 데이터베이스 접근
2.6.5 | Wireless access | 무선 네트워크 접근
2.6.6 | Remote access | 원격접근 통제
2.6.7 | Internet access | 인터넷 접속 통제
2.7.1 | Use of encryption | 암호정책 적용
2.7.2 | Encryption keys | 암호키 관리
2.8.1 | Security needs stated | 보안 요구사항 정의
2.8.2 | Security needs tested | 보안 요구사항 시험
2.8.3 | Test and operation apart | 시험과 운영 환경 분리
2.8.4 | Test data | 시험 데이터 보안
2.8.5 | Source programs | 소스 프로그램 관리
2.8.6 | Move to operation | 운영환경 이관
2.9.1 | Changes | 변경관리
2.9.2 | Performance and faults | 성능과 장애관리
2.9.3 | Backup and recovery | 백업과 복구
2.9.4 | Logs kept | 로그와 접속기록 관리
2.9.5 | Logs reviewed | 로그와 접속기록 점검
2.9.6 | Clocks synchronized | 시간 동기화
2.9.7 | Reuse and disposal | 정보자산 재사용과 폐기
2.10.1 | Security systems | 보안시스템 운영
2.10.2 | Cloud | 클라우드 보안
2.10.3 | Public servers | 공개서버 보안
2.10.4 | Electronic transactions | 전자거래와 핀테크 보안
2.10.5 | Transmission | 정보전송 보안
2.10.6 | Work devices | 업무용 단말 보안
2.10.7 | Removable media | 보조저장매체 관리
2.10.8 | Patches | 패치관리
2.10.9 | Malware | 악성코드 통제
2.11.1 | Prepared for incidents | 사고 예방과 대응체계
2.11.2 | Vulnerabilities found and mended | 취약점 점검과 조치
2.11.3 | Unusual activity watched | 이상행위 분석과 모니터링
2.11.4 | Incident exercises | 사고 대응 훈련과 개선
2.11.5 | Response and recovery | 사고 대응과 복구
2.12.1 | Prepared for disasters | 재해 대비 안전조치
2.12.2 | Disaster recovery tested | 재해 복구 시험과 개선
# Personal information | 개인정보
3.1.1 | Collection and use | 수집과 이용
3.1.2 | Limited collection | 수집 제한
3.1.3 | Resident numbers | 주민등록번호 처리 제한
3.1.4 | Sensitive and unique data | 민감·고유식별정보 처리 제한
3.1.5 | Indirect collection | 간접 수집
3.1.6 | Cameras | 영상정보처리기기
3.1.7 | Marketing | 마케팅 목적 이용
3.2.1 | Data known | 개인정보 현황 관리
3.2.2 | Data accurate | 개인정보 품질 보장
3.2.3 | Access to user devices | 이용자 단말 접근 보호
3.2.4 | Use beyond the purpose | 목적 외 이용과 제공
3.2.5 | Pseudonymous data | 가명정보 처리
3.3.1 | Third parties | 제3자 제공
3.3.2 | Outsourcing | 처리업무 위탁
3.3.3 | Transfer with a business | 영업 양도 등에 따른 이전
3.3.4 | Transfer abroad | 국외 이전
3.4.1 | Destruction | 파기
3.4.2 | Kept beyond the purpose | 목적 달성 후 보유
3.5.1 | Privacy notice | 처리방침 공개
3.5.2 | Rights of persons | 정보주체 권리 보장
3.5.3 | Persons notified | 정보주체에 대한 통지
`)
