// The command line: one verb a file.
int main() {
  return 2;
}
