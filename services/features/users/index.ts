/** The door of users: what other folders use of it. */
export {
  createUser,
  ensureFirstAdministrator,
  findUserByEmail,
  firstAdministrator,
  listUsers,
  setUserActive,
  type User,
} from './service.ts';
export {
  addTeamMember,
  createTeam,
  deleteTeam,
  listTeams,
  removeTeamMember,
  setTeamSites,
  type Team,
} from './teams.ts';
