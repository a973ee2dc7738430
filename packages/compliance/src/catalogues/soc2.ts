import { readCatalogue } from './read-catalogue.ts'

/** Trust services criteria of 2017 with the points of focus of 2022: ids are facts, the titles are our own short words. */
export const soc2 = readCatalogue({
  token: 'soc2', name: 'SOC 2', version: '2017 (2022)', verification: 'attested', total: 61,
}, `
# Control environment | 통제 환경
CC1.1 | Integrity and ethics | 청렴성과 윤리
CC1.2 | Oversight by the board | 이사회의 감독
CC1.3 | Structures and authorities | 조직 구조와 권한
CC1.4 | Competent people | 역량 있는 인력
CC1.5 | People held accountable | 책임의 부여
# Information and communication | 정보와 소통
CC2.1 | Information of good quality | 양질의 정보 사용
CC2.2 | Communication inside | 내부 소통
CC2.3 | Communication with outsiders | 외부 소통
# Risk assessment | 위험 평가
CC3.1 | Clear objectives | 명확한 목표
CC3.2 | Risks found and analysed | 위험의 식별과 분석
CC3.3 | Risk of fraud | 부정 위험
CC3.4 | Changes that matter | 중요한 변화의 평가
# Monitoring of controls | 통제의 점검
CC4.1 | Controls evaluated continuously | 통제의 지속 평가
CC4.2 | Weaknesses reported | 미비점의 보고
# Control activities | 통제 활동
CC5.1 | Activities against risks | 위험 완화 통제
CC5.2 | Controls over technology | 기술에 대한 통제
CC5.3 | Policies and procedures | 정책과 절차
# Logical and physical access | 논리·물리 접근
CC6.1 | Protected access to systems | 시스템 접근 보호
CC6.2 | Users registered before access | 사용자 등록과 승인
CC6.3 | Rights by role | 역할에 따른 권한
CC6.4 | Physical access | 물리적 접근
CC6.5 | Disposal of assets | 자산의 폐기
CC6.6 | Threats from outside the boundary | 경계 밖 위협 대응
CC6.7 | Movement of information | 정보의 이동 통제
CC6.8 | Unauthorized and malicious software | 악성 소프트웨어 방지
# System operations | 시스템 운영
CC7.1 | Changes and vulnerabilities detected | 변경과 취약점 탐지
CC7.2 | Anomalies monitored | 이상 징후 감시
CC7.3 | Events evaluated | 이벤트의 평가
CC7.4 | Response to incidents | 사고 대응
CC7.5 | Recovery from incidents | 사고 복구
# Change management | 변경 관리
CC8.1 | Changes authorized and tested | 변경의 승인과 시험
# Risk mitigation | 위험 완화
CC9.1 | Disruption of business | 업무 중단 대비
CC9.2 | Vendors and partners | 협력사 위험
# Availability | 가용성
A1.1 | Capacity | 용량
A1.2 | Environment, backup and recovery means | 환경 보호와 백업
A1.3 | Recovery tested | 복구 시험
# Confidentiality | 기밀성
C1.1 | Confidential information kept | 기밀 정보의 보호
C1.2 | Confidential information disposed of | 기밀 정보의 폐기
# Processing integrity | 처리 무결성
PI1.1 | Definitions of processing | 처리 명세
PI1.2 | Inputs | 입력
PI1.3 | Processing | 처리
PI1.4 | Outputs | 출력
PI1.5 | Stored data | 저장
# Privacy | 개인정보
P1.1 | Notice | 고지
P2.1 | Choice and consent | 선택과 동의
P3.1 | Collection as stated | 목적에 맞는 수집
P3.2 | Explicit consent | 명시적 동의
P4.1 | Limited use | 이용 제한
P4.2 | Retention | 보유
P4.3 | Disposal | 파기
P5.1 | Access by persons | 정보주체의 열람
P5.2 | Correction | 정정
P6.1 | Disclosure with consent | 동의에 따른 제공
P6.2 | Record of disclosures | 제공 기록
P6.3 | Record of unauthorized disclosures | 무단 제공 기록
P6.4 | Commitments of vendors | 협력사의 약속
P6.5 | Breaches reported by vendors | 협력사의 유출 통보
P6.6 | Notice of breaches | 유출 통지
P6.7 | Account of what is held | 보유 내역 제공
P7.1 | Accurate data | 정확성
P8.1 | Complaints | 민원 처리
`)
