/** The public interface of users. */
export {
  listMembers,
  type Member,
  removeSiteRole,
  setAdministrator,
  setSiteRole,
} from './members.ts';
export { type RolesRow, readRoles, readRolesOfKey, rolesColumns } from './roles-sql.ts';
export {
  createUser,
  ensureFirstAdministrator,
  findUserByEmail,
  firstAdministrator,
  setUserActive,
} from './service.ts';
export {
  endAccess,
  endSession,
  endSessions,
  findSession,
  hasSession,
  insertSession,
  type SessionSummary,
  selectSessions,
  touchSession,
} from './sessions-sql.ts';
export {
  addTeamMember,
  createTeam,
  deleteTeam,
  listTeams,
  removeTeamMember,
  setTeamRole,
  setTeamSites,
  type Team,
} from './teams.ts';
