export default async function stopMongo() {
  await globalThis.pressroomMongo?.stop();
}
